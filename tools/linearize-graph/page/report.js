// The page: one function at a time, and what is pointed at or picked, shown everywhere at once.

const metrics = {
  warp_instructions: "warp instructions",
  block_entries: "times entered by warps",
  thread_entries: "times entered by threads",
  reentries: "times entered again",
  divergent_branches: "times the branch parted a warp",
};
const sides = ["before", "after"];
const byId = (id) => document.getElementById(id);

// ---- what the data says, made handy

function addCounts(to, from) {
  for (const key of Object.keys(metrics)) to[key] = (to[key] ?? 0) + from[key];
  return to;
}

// linearize-simt splits some blocks; `x.copy` and `x.rest` are of x.
function countsOf(run, name) {
  const found = run.functions.find((each) => each.name === name);
  if (!found) return null;
  const counts = new Map();
  for (const block of found.blocks) {
    const original = block.name.replace(/\.(copy|rest)$/, "");
    for (const key of new Set([block.name, original]))
      counts.set(key, addCounts(counts.get(key) ?? {}, block));
  }
  return { total: found, counts };
}

function prepare(f, simulation) {
  f.remarksOf = f.regions.map((_, number) =>
    f.remarks.filter((remark) => remark.region === number));
  const whole = f.remarks.filter((remark) =>
    remark.region === undefined && ["missed", "warning"].includes(remark.kind));
  f.decisions = f.remarksOf.map((remarks) => decisionOf(remarks.length > 0 ? remarks : whole));
  f.regions.forEach((region, number) => {
    region.blocks = f.before.blocks.flatMap((block, at) =>
      isWithin(f, block.region, number) ? [at] : []);
    region.depth = 0;
    for (let at = region.parent; at !== undefined; at = f.regions[at].parent) region.depth++;
  });
  f.linesOf = (block) => f.before.blocks[block].own;
  f.place = new Map();
  f.after?.blocks.forEach((block, at) => {
    if (block.original !== undefined) f.place.set(block.original, at);
  });
  f.twinOf = (side, block) => side === "before" ? f.place.get(block) ?? null
    : f.after.blocks[block].original ?? null;
  for (const side of sides.filter((each) => f[each])) {
    const { edges } = f[side], kinds = new Map();
    for (let i = 0; i < edges.length; i += 3) {
      const ends = `${edges[i]}->${edges[i + 1]}`;
      kinds.set(ends, (kinds.get(ends) ?? 0) | edges[i + 2]);
    }
    f[side].kinds = kinds;
  }
  const refilled = f.refilling?.kind === "passed"
    ? f.before.blocks.findIndex((block) => block.name === f.refilling.block) : -1;
  f.refilled = refilled < 0 ? null : refilled; // its loop's header, before
  if (!simulation) return;
  const [before, after] = simulation.runs.map((run) => countsOf(run, f.name));
  if (before && after) f.counts = { before, after };
}

function isWithin(f, region, outer) {
  while (region !== undefined && region !== outer) region = f.regions[region].parent;
  return region === outer;
}

// ---- the page

class Page {
  constructor(data) {
    this.data = data;
    for (const f of data.functions) prepare(f, data.simulation);
    this.drawings = sides.map((side) => new Drawing(byId(`pane-${side}`), this));
    this.showFacts();
    this.listFunctions();
    this.addHands();
    const asked = Number(location.hash.replace("#function-", ""));
    this.open(location.hash && data.functions[asked] ? asked : this.first());
  }

  // The kernel that was run, else the first that was changed, else the first with regions.
  first() {
    const tests = [(f) => f.counts, (f) => f.changed, (f) => f.regions.length > 0, () => true];
    return tests.map((test) => this.data.functions.findIndex(test)).find((at) => at >= 0);
  }

  get f() {
    return this.data.functions[this.number];
  }

  sideOf(drawing) {
    return sides[this.drawings.indexOf(drawing)];
  }

  showFacts() {
    const { file, parameters, profile, target, llvm, simulation } = this.data;
    const facts = [`linearize<${parameters}>`, target, `LLVM ${llvm}`];
    if (profile) facts.push(`profile ${baseName(profile)}`);
    if (simulation) {
      const { kernel, model } = simulation;
      facts.push(`${kernel} ran in linearize-simt, model ${model}, with the same results`);
    }
    byId("facts").textContent = facts.filter((fact) => fact).join(" · ");
    byId("facts").title = file;
  }

  // ---- functions

  listFunctions() {
    byId("list").append(...this.data.functions.map(functionItem));
    document.body.classList.toggle("single", this.data.functions.length === 1);
    this.filter();
  }

  filter() {
    const text = byId("filter").value.trim().toLowerCase();
    let count = 0;
    for (const item of byId("list").children) {
      const f = this.data.functions[item.dataset.number];
      item.hidden = !f.title.toLowerCase().includes(text) && !f.name.toLowerCase().includes(text);
      count += !item.hidden;
    }
    const all = this.data.functions.length;
    byId("matching").textContent =
      count === all ? plural(all, "function") : `${count} of ${plural(all, "function")}`;
  }

  open(number) {
    this.number = number;
    this.region = null;
    this.block = null;
    const f = this.f;
    for (const item of byId("list").children)
      item.setAttribute("aria-current", String(Number(item.dataset.number) === number));
    byId("title").textContent = f.title;
    byId("symbol").textContent = f.title === f.name ? "" : f.name;
    byId("graphs").classList.toggle("one", !f.changed);
    byId("pane-after").hidden = !f.changed;
    byId("pane-before").querySelector("b").textContent =
      f.changed ? "before" : "before and after: unchanged";
    showCounts(byId("counts"), f, f.counts && sides.map((side) => f.counts[side].total));
    byId("legend-uniform").hidden = !f.divergence;
    byId("legend-unknown").hidden = f.divergence;
    byId("legend-refilled").hidden = f.refilled === null;
    showRegions(byId("regions"), byId("words"), f);
    showSource(byId("source"), f, this.data.sources);
    this.scrollToBegin();
    this.draw();
    this.showHeat();
    this.refresh();
  }

  lineAt(file, line) {
    return byId("source").querySelector(`[data-line="${file}:${line}"]`);
  }

  // The function's first line, if more than it is in the file.
  scrollToBegin() {
    const lines = this.f.before.blocks.flatMap((block) => block.own);
    const first = this.lineAt(this.f.file, lines.reduce((a, b) => Math.min(a, b), Infinity));
    byId("source").scrollTop = first ? first.offsetTop - 3 * first.offsetHeight : 0;
  }

  draw() {
    const f = this.f;
    this.drawings.forEach((drawing, index) => {
      const undrawn = index === 0 ? f.undrawnBefore : f.undrawnAfter;
      if (index === 1 && !f.changed) return;
      drawing.show(byId(`${sides[index]}-${this.number}`), undrawn);
      drawing.frames.forEach((frame, region) => frame.classList.add(f.decisions[region]));
      const refilled = index === 0 ? f.refilled : f.place.get(f.refilled);
      drawing.nodes[refilled]?.classList.add("refilled");
    });
  }

  shown() {
    return this.f.changed ? this.drawings : [this.drawings[0]];
  }

  // ---- heat

  get metric() {
    return byId("metric").value;
  }

  countsAt(side, block) {
    const name = this.f[side].blocks[block].name;
    return this.f.counts?.[side].counts.get(name) ?? null;
  }

  most() {
    const values = this.shown().flatMap((drawing) => drawing.nodes.map((_, block) =>
      this.countsAt(this.sideOf(drawing), block)?.[this.metric] ?? 0));
    return values.reduce((a, b) => Math.max(a, b), 0);
  }

  showHeat() {
    const most = this.f.counts ? this.most() : 0;
    for (const drawing of this.shown())
      drawing.nodes.forEach((node, block) => {
        const counts = this.countsAt(this.sideOf(drawing), block);
        const part = most > 0 && counts ? counts[this.metric] / most : 0;
        const shape = node.querySelector("polygon, ellipse");
        shape.style.fill = part > 0
          ? `color-mix(in srgb, var(--heat) ${(4 + 84 * part).toFixed(1)}%, var(--block))` : "";
      });
    byId("most").textContent = most.toLocaleString("en");
    byId("legend-heat").hidden = !this.f.counts;
  }

  // ---- what things say under the pointer

  describe(drawing, what, number) {
    const side = this.sideOf(drawing);
    return { block: () => this.blockText(side, number),
             edge: () => this.edgeText(side, drawing.edges[number]),
             region: () => this.regionText(number) }[what]();
  }

  blockText(side, number) {
    const f = this.f, block = f[side].blocks[number], facts = [];
    if (block.exit) return `${block.name}\nwhere all returns lead`;
    facts.push(plural(block.instructions, "instruction"));
    if (block.own.length > 0) facts.push(briefly(block.own));
    if (block.region !== undefined) facts.push(`region ${block.region}`);
    if (block.guard !== undefined)
      facts.push(`a guard: lets threads into ${f[side].blocks[block.guard].name}`);
    else if (block.original === undefined) facts.push("added");
    if (f.refilled !== null && f.refilled === block.original)
      facts.push("in version refilled, lanes that leave its loop take the next item");
    if (block.uniform) facts.push("all threads of a warp take its branch together");
    return [block.name, facts.join(", "), ...this.countsText(side, number)].join("\n");
  }

  // Counts of the block, before and after where it is on both sides.
  countsText(side, number) {
    const f = this.f, other = sides[1 - sides.indexOf(side)];
    if (!f.counts) return [];
    const at = { [side]: number, [other]: f.changed ? f.twinOf(side, number) : null };
    const counts = sides.filter((each) => at[each] !== null)
      .map((each) => this.countsAt(each, at[each]) ?? addCounts({}, {}));
    const line = (name, value, digits = 0) => `${name}: ${counts.map((each) =>
      (value(each) || 0).toLocaleString("en", { minimumFractionDigits: digits,
                                                maximumFractionDigits: digits })).join(" → ")}`;
    return [...Object.keys(metrics).map((key) => line(metrics[key], (each) => each[key])),
            line("threads each time", (each) => each.thread_entries / each.block_entries, 1)];
  }

  edgeText(side, { from, to }) {
    const { blocks, kinds: all } = this.f[side], kinds = all.get(`${from}->${to}`);
    const names = ["branch", "jump in", "jump out"].filter((_, bit) => kinds & (1 << bit));
    const words = [names.length > 0 ? `unstructured: ${names.join(", ")}` : "structured"];
    if (blocks[from].uniform) words.push("all threads of a warp go one way");
    return `${blocks[from].name} → ${blocks[to].name}\n${words.join("; ")}`;
  }

  regionText(number) {
    const f = this.f, head = `region ${number}: ${decisions[f.decisions[number]]}`;
    return [head, ...f.remarksOf[number].map((remark) => remark.text)].join("\n");
  }

  // ---- picking

  pick(drawing, what, number) {
    const side = this.sideOf(drawing);
    if (what === "nothing" || what === "edge") {
      this.region = this.block = null;
    } else if (what === "region") {
      this.region = number;
      this.block = null;
    } else {
      this.block = { side, number };
      this.region = this.f[side].blocks[number].region ?? null;
      this.openTab("block");
    }
    this.refresh();
    if (what === "block" && this.f.changed) {
      const twin = this.f.twinOf(side, number);
      if (twin !== null) this.drawings[1 - sides.indexOf(side)].reveal([twin]);
    }
    if (this.region !== null)
      byId("regions").querySelector("tr.picked")?.scrollIntoView({ block: "nearest" });
  }

  pickRegion(number) {
    this.region = this.region === number ? null : number;
    this.block = null;
    this.refresh();
    if (this.region === null) return;
    for (const drawing of this.shown())
      drawing.reveal(this.blocksOf(this.sideOf(drawing), number));
    const line = this.f.regions[number].blocks.flatMap((block) => this.f.linesOf(block))
      .sort((a, b) => a - b)[0];
    if (line !== undefined) this.lineAt(this.f.file, line)?.scrollIntoView({ block: "nearest" });
  }

  pickLine(blocks) {
    this.region = null;
    this.block = { side: "before", number: blocks[0] };
    this.refresh(blocks);
    this.drawings[0].reveal(blocks);
    if (this.f.changed)
      this.drawings[1].reveal(blocks.map((block) => this.f.twinOf("before", block)));
  }

  blocksOf(side, region) {
    return this.f[side].blocks.flatMap((block, number) =>
      isWithin(this.f, block.region, region) ? [number] : []);
  }

  // Shows what is picked, everywhere; `pinned`: blocks before that are, if not the one.
  refresh(pinned = null) {
    const f = this.f;
    for (const drawing of this.shown()) {
      const side = this.sideOf(drawing);
      const picked = new Set(this.region === null ? [] : this.blocksOf(side, this.region));
      drawing.svg?.classList.toggle("picking", this.region !== null);
      drawing.nodes.forEach((node, block) => {
        const here = pinned ? (side === "before" ? pinned.includes(block)
          : pinned.includes(f.after.blocks[block].original)) : this.isPinned(side, block);
        node.classList.toggle("picked", picked.has(block));
        node.classList.toggle("pinned", here);
      });
      for (const { from, to, group } of drawing.edges)
        group.classList.toggle("picked", picked.has(from) || picked.has(to));
      drawing.frames.forEach((frame, region) =>
        frame.classList.toggle("picked", region === this.region));
    }
    for (const row of byId("regions").querySelectorAll("tbody tr"))
      row.classList.toggle("picked", Number(row.dataset.region) === this.region);
    const chosen = pinned ?? (this.block ? [this.blockBefore()]
      : this.region === null ? [] : f.regions[this.region].blocks);
    for (const row of byId("source").querySelectorAll("tr.has"))
      row.classList.toggle("picked", row.blocks.some((block) => chosen.includes(block)));
    showBlock(byId("block"), f, this.block?.side, this.block?.number ?? null);
  }

  isPinned(side, block) {
    if (!this.block) return false;
    if (this.block.side === side) return this.block.number === block;
    return this.f.changed && this.f.twinOf(this.block.side, this.block.number) === block;
  }

  // The picked block as it was before; null if it was added.
  blockBefore() {
    const { side, number } = this.block;
    return side === "before" ? number : this.f.twinOf(side, number);
  }

  openTab(name) {
    for (const each of ["source", "block"]) {
      byId(each).hidden = each !== name;
      byId(`tab-${each}`).setAttribute("aria-selected", String(each === name));
    }
  }

  // ---- the page of linearize-profile, in place of the functions

  addCosts() {
    const button = byId("costs-button"), costs = byId("costs");
    button.hidden = costs.getAttribute("srcdoc") === "";
    button.addEventListener("click", () => this.showCosts(costs.hidden));
  }

  showCosts(shown) {
    byId("costs").hidden = !shown;
    byId("costs-button").setAttribute("aria-pressed", String(shown));
    document.querySelector("main").hidden = shown;
  }

  // ---- hands

  addHands() {
    byId("filter").addEventListener("input", () => this.filter());
    for (const [key, name] of Object.entries(metrics)) byId("metric").append(new Option(name, key));
    byId("metric").addEventListener("change", () => this.showHeat());
    byId("list").addEventListener("click", (event) => {
      const item = event.target.closest("li");
      if (item) location.hash = `function-${item.dataset.number}`;
      if (item) this.showCosts(false);
    });
    window.addEventListener("hashchange", () => {
      const number = Number(location.hash.replace("#function-", ""));
      if (this.data.functions[number]) this.open(number);
    });
    const regionAt = (event) => event.target.closest("tr[data-region]");
    byId("regions").addEventListener("click", (event) => {
      if (regionAt(event)) this.pickRegion(Number(regionAt(event).dataset.region));
    });
    byId("regions").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && regionAt(event))
        this.pickRegion(Number(regionAt(event).dataset.region));
    });
    byId("source").addEventListener("click", (event) => {
      const row = event.target.closest("tr.has");
      if (row) this.pickLine(row.blocks);
    });
    for (const name of ["source", "block"])
      byId(`tab-${name}`).addEventListener("click", () => this.openTab(name));
    this.openTab("source");
    this.addCosts();
    window.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.pick(this.drawings[0], "nothing");
      if (event.key !== "/" || event.target.matches("input, select")) return;
      event.preventDefault();
      byId("filter").focus();
    });
  }
}

new Page(JSON.parse(byId("data").textContent));
