// A pane with one of Graphviz's drawings: it can be moved and zoomed, and tells what the pointer is
// at. Graphviz names nodes by numbers, edges `1->2` and frames `cluster_3` in their titles.

const svgNames = "http://www.w3.org/2000/svg";
const largest = 4 / 3; // of points in pixels: Graphviz's own size

class Drawing {
  constructor(figure, listener) {
    this.figure = figure;
    this.canvas = figure.querySelector(".canvas");
    this.listener = listener;
    this.svg = null;
    this.nodes = [];
    this.edges = [];
    this.frames = [];
    this.addTools();
    this.addMoves();
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
    const box = this.svg.viewBox.baseVal;
    this.size = { width: box.width, height: box.height };
    for (const name of ["width", "height"]) this.svg.removeAttribute(name);
    for (const group of this.svg.querySelectorAll("g")) this.take(group);
    this.canvas.append(this.svg);
    this.begin();
  }

  take(group) {
    const title = [...group.children].find((child) => child.tagName === "title")?.textContent;
    group.removeAttribute("id");
    for (const inner of group.querySelectorAll(":scope > title, a > title")) inner.remove();
    for (const link of group.querySelectorAll(":scope > g > a"))
      for (const name of [...link.getAttributeNames()]) link.removeAttribute(name);
    if (group.classList.contains("node")) {
      this.nodes[Number(title)] = group;
      this.tell(group, "block", Number(title));
    } else if (group.classList.contains("cluster")) {
      const number = Number(title.slice("cluster_".length));
      this.frames[number] = group;
      this.tell(group, "region", number);
    } else if (group.classList.contains("edge")) {
      const [from, to] = title.split("->").map(Number);
      this.edges.push({ from, to, group });
      this.widen(group);
      this.tell(group, "edge", this.edges.length - 1);
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

  tell(group, what, number) {
    const point = (event) => this.listener.point(this, what, number, event);
    group.addEventListener("pointerenter", point);
    group.addEventListener("pointermove", point);
    group.addEventListener("pointerleave", () => this.listener.leave(this, what, number));
    group.addEventListener("click", (event) => {
      event.stopPropagation();
      if (!this.wasDragged) this.listener.pick(this, what, number);
    });
  }

  // ---- what is seen

  get scale() {
    return this.view.scale;
  }

  look(x, y, scale) {
    const width = this.canvas.clientWidth / scale, height = this.canvas.clientHeight / scale;
    this.view = { x, y, width, height, scale };
    this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  }

  // Looks at a part so that all of it is seen, no larger than `most`.
  frame(box, most = largest) {
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth || !clientHeight) return;
    const scale = Math.min(most, clientWidth / (box.width + 24), clientHeight / (box.height + 24));
    this.look(box.x + box.width / 2 - clientWidth / scale / 2,
              box.y + box.height / 2 - clientHeight / scale / 2, scale);
  }

  fit() {
    if (this.svg) this.frame({ x: 0, y: 0, ...this.size });
  }

  // All of it, or its beginning if that could not be read.
  begin() {
    this.fit();
    if (!this.view || this.scale >= 0.45) return;
    const { clientWidth } = this.canvas, edge = 12;
    const scale = Math.max(0.45, Math.min(0.9, clientWidth / (this.size.width + 2 * edge)));
    const entry = this.boxOf([0]), width = clientWidth / scale;
    const middle = entry ? entry.x + entry.width / 2 : this.size.width / 2;
    const right = Math.max(this.size.width + edge - width, (this.size.width - width) / 2);
    this.look(Math.min(right, Math.max(middle - width / 2, Math.min(-edge, right))), -edge, scale);
  }

  zoom(factor, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    if (!this.svg) return;
    const scale = Math.min(6, Math.max(0.02, this.scale * factor));
    const atX = this.view.x + x / this.scale, atY = this.view.y + y / this.scale;
    this.look(atX - x / scale, atY - y / scale, scale);
  }

  move(x, y) {
    if (this.svg) this.look(this.view.x + x / this.scale, this.view.y + y / this.scale, this.scale);
  }

  // The box around blocks, in the drawing's points, or null.
  boxOf(blocks) {
    const graph = this.svg.querySelector("g.graph");
    const toDrawing = this.svg.getScreenCTM().inverse();
    let box = null;
    for (const block of blocks) {
      if (!this.nodes[block]) continue;
      const inner = this.nodes[block].getBBox();
      const matrix = toDrawing.multiply(graph.getScreenCTM());
      const one = new DOMPoint(inner.x, inner.y).matrixTransform(matrix);
      const other = new DOMPoint(inner.x + inner.width, inner.y + inner.height)
        .matrixTransform(matrix);
      box ??= { left: one.x, top: one.y, right: other.x, bottom: other.y };
      box = { left: Math.min(box.left, one.x), top: Math.min(box.top, one.y),
              right: Math.max(box.right, other.x), bottom: Math.max(box.bottom, other.y) };
    }
    return box && { x: box.left, y: box.top, width: box.right - box.left,
                    height: box.bottom - box.top };
  }

  // Moves so that these blocks are seen; of many, so much that they can be read.
  reveal(blocks) {
    const box = this.svg && this.boxOf(blocks);
    if (!box) return;
    const { x, y, width, height } = this.view, legible = 0.45;
    const isSeen = box.x >= x && box.y >= y && box.x + box.width <= x + width &&
      box.y + box.height <= y + height;
    if (isSeen && this.scale >= legible) return;
    this.frame(box, Math.max(this.scale, 0.9));
    if (this.scale >= legible) return;
    const middle = box.x + box.width / 2 - this.canvas.clientWidth / 0.6 / 2;
    this.look(middle, box.y - 40, 0.6);
  }

  // ---- hands

  addTools() {
    const tools = this.figure.querySelector(".tools");
    const add = (text, title, action) => {
      const button = make("button", "", text);
      button.type = "button";
      button.title = title;
      button.addEventListener("click", action);
      tools.append(button);
    };
    add("−", "smaller (Ctrl and wheel)", () => this.zoom(1 / 1.3));
    add("+", "larger (Ctrl and wheel)", () => this.zoom(1.3));
    add("fit", "all of it", () => this.fit());
  }

  addMoves() {
    const canvas = this.canvas;
    canvas.addEventListener("wheel", (event) => {
      if (!this.svg) return;
      event.preventDefault();
      const step = event.deltaMode === 1 ? 16 : 1;
      const corner = canvas.getBoundingClientRect();
      if (event.ctrlKey)
        this.zoom(Math.exp(-event.deltaY * step / 300), event.clientX - corner.left,
                  event.clientY - corner.top);
      else if (event.shiftKey && !event.deltaX) this.move(event.deltaY * step, 0);
      else this.move(event.deltaX * step, event.deltaY * step);
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      this.held = event.button === 0 ? { x: event.clientX, y: event.clientY } : null;
      this.wasDragged = false;
    });
    window.addEventListener("pointermove", (event) => this.drag(event));
    window.addEventListener("pointerup", () => {
      this.held = null;
      canvas.classList.remove("dragged");
    });
    canvas.addEventListener("click", () => {
      if (!this.wasDragged) this.listener.pick(this, "nothing");
    });
    canvas.addEventListener("keydown", (event) => this.press(event));
    new ResizeObserver(() => this.resize()).observe(canvas);
  }

  drag(event) {
    if (!this.held || !this.svg) return;
    const x = event.clientX - this.held.x, y = event.clientY - this.held.y;
    if (!this.wasDragged && Math.hypot(x, y) < 4) return;
    this.wasDragged = true;
    this.canvas.classList.add("dragged");
    this.move(-x, -y);
    this.held = { x: event.clientX, y: event.clientY };
  }

  press(event) {
    const moves = { ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60],
                    ArrowDown: [0, 60] };
    if (moves[event.key]) this.move(...moves[event.key]);
    else if (event.key === "+") this.zoom(1.3);
    else if (event.key === "-") this.zoom(1 / 1.3);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
  }

  // The middle stays where it is.
  resize() {
    if (!this.svg || !this.view || !this.canvas.clientWidth) return;
    const { scale, x, y, width, height } = this.view;
    this.look(x + (width - this.canvas.clientWidth / scale) / 2,
              y + (height - this.canvas.clientHeight / scale) / 2, scale);
  }
}

// An element with a class and text.
function make(name, className = "", text = "") {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== "") element.textContent = text;
  return element;
}
