// A pane with one of Graphviz's drawings: the pane scrolls, the drawing can be zoomed, and what it
// shows says what it is. Graphviz names nodes by numbers, edges `1->2` and frames `cluster_3` in
// their titles.

const svgNames = "http://www.w3.org/2000/svg";
const largest = 4 / 3; // of points in pixels: Graphviz's own size
const legible = 0.45;

class Drawing {
  constructor(figure, listener) {
    this.figure = figure;
    this.canvas = figure.querySelector(".canvas");
    this.listener = listener;
    this.canvas.addEventListener("click", () => listener.pick(this, "nothing"));
    this.addTools();
  }

  // Shows a copy of the template; `text` instead if there is none.
  show(template, text) {
    this.canvas.replaceChildren();
    this.svg = null;
    this.nodes = [];
    this.edges = [];
    this.frames = [];
    if (!template) {
      this.canvas.append(make("p", "", text));
      return;
    }
    this.svg = template.content.firstElementChild.cloneNode(true);
    const { width, height } = this.svg.viewBox.baseVal;
    this.size = { width, height };
    for (const group of this.svg.querySelectorAll("g")) this.take(group);
    this.canvas.append(this.svg);
    this.begin();
  }

  take(group) {
    const title = group.querySelector(":scope > title");
    group.removeAttribute("id");
    if (group.classList.contains("node")) {
      this.nodes[Number(title.textContent)] = group;
      this.tell(group, title, "block", Number(title.textContent));
    } else if (group.classList.contains("cluster")) {
      const number = Number(title.textContent.slice("cluster_".length));
      this.frames[number] = group;
      this.tell(group, title, "region", number);
    } else if (group.classList.contains("edge")) {
      const [from, to] = title.textContent.split("->").map(Number);
      this.edges.push({ from, to, group });
      this.widen(group);
      this.tell(group, title, "edge", this.edges.length - 1);
    } else {
      title?.remove();
    }
  }

  // Edges are too thin to be pointed at.
  widen(group) {
    const path = group.querySelector("path");
    if (!path) return;
    const hit = path.cloneNode();
    hit.setAttribute("class", "hit");
    path.after(hit);
  }

  tell(group, title, what, number) {
    title.textContent = this.listener.describe(this, what, number);
    group.addEventListener("click", (event) => {
      event.stopPropagation();
      this.listener.pick(this, what, number);
    });
  }

  // ---- what is seen

  scaleTo(scale) {
    this.scale = scale;
    for (const side of ["width", "height"])
      this.svg.setAttribute(side, this.size[side] * scale);
  }

  fit() {
    if (!this.svg || !this.canvas.clientWidth) return;
    this.scaleTo(Math.min(largest, this.canvas.clientWidth / this.size.width,
                          this.canvas.clientHeight / this.size.height));
  }

  // All of it, or its beginning if that could not be read.
  begin() {
    this.scale = largest;
    this.fit();
    if (this.scale >= legible) return;
    this.scaleTo(Math.max(legible, Math.min(0.9, this.canvas.clientWidth / this.size.width)));
    const entry = this.nodes[0]?.getBoundingClientRect(), pane = this.canvas.getBoundingClientRect();
    if (entry) this.canvas.scrollLeft += entry.x + entry.width / 2 - pane.x - pane.width / 2;
  }

  // The middle stays where it is.
  zoom(factor) {
    if (!this.svg) return;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.canvas;
    this.scaleTo(Math.min(6, Math.max(0.02, this.scale * factor)));
    this.canvas.scrollTo((scrollLeft + clientWidth / 2) * factor - clientWidth / 2,
                         (scrollTop + clientHeight / 2) * factor - clientHeight / 2);
  }

  // Scrolls so that the first of these blocks is seen, and can be read.
  reveal(blocks) {
    const node = this.nodes[blocks.find((block) => this.nodes[block])];
    if (!node) return;
    if (this.scale < legible) this.scaleTo(0.6);
    node.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  addTools() {
    const tools = this.figure.querySelector(".tools");
    const add = (text, title, action) => {
      const button = make("button", "", text);
      button.type = "button";
      button.title = title;
      button.addEventListener("click", action);
      tools.append(button);
    };
    add("−", "smaller", () => this.zoom(1 / 1.3));
    add("+", "larger", () => this.zoom(1.3));
    add("fit", "all of it", () => this.fit());
  }
}

// An element with a class and text.
function make(name, className = "", text = "") {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== "") element.textContent = text;
  return element;
}
