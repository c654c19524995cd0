// What stands around the drawings: the list of functions, counts, regions with their remarks,
// source lines, a block's instructions.

const decisions = {
  linearized: "linearized",
  part: "linearized with another",
  left: "left alone",
  refused: "refused",
  warning: "left, and may be miscompiled",
};

// What became of a region, by the remarks that have its number.
function decisionOf(remarks) {
  if (remarks.some((remark) => remark.kind === "warning")) return "warning";
  if (remarks.some((remark) => remark.name === "LinearizedWithin")) return "part";
  if (remarks.some((remark) => remark.kind === "passed")) return "linearized";
  if (remarks.some((remark) => remark.kind === "missed")) return "refused";
  return "left";
}

const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

// "7", "7–9, 12"
function rangesOf(numbers) {
  const ranges = [];
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = ranges[ranges.length - 1];
    if (last && number <= last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}

// The same in a few words.
function briefly(numbers) {
  const text = rangesOf(numbers), sorted = [...numbers].sort((a, b) => a - b);
  const words = text.split(", ").length > 3 ? `${sorted[0]}–${sorted[sorted.length - 1]}` : text;
  return `${/[–,]/.test(words) ? "lines" : "line"} ${words}`;
}

const baseName = (path) => path.slice(path.lastIndexOf("/") + 1);

// ---- functions

function functionItem(f, number) {
  const item = make("li"), button = make("button");
  button.type = "button";
  const worst = ["warning", "refused", "linearized", "part", "left"]
    .find((kind) => f.decisions.includes(kind));
  button.append(make("span", `dot ${worst ?? ""}`), make("span", "name mono", f.title),
                make("small", "", summaryOf(f)));
  button.title = f.title;
  item.dataset.number = number;
  item.append(button);
  return item;
}

function summaryOf(f) {
  if (f.regions.length === 0) return `${plural(f.before.count, "block")}, structured`;
  const done = f.decisions.filter((kind) => kind === "linearized" || kind === "part").length;
  return `${done} of ${plural(f.regions.length, "region")} linearized`;
}

// ---- counts

function addCount(list, name, before, after, lessIsBetter = true, digits = 0) {
  const box = make("div"), value = make("dd");
  const show = (number) => number.toLocaleString("en", { minimumFractionDigits: digits,
                                                         maximumFractionDigits: digits });
  value.append(show(before));
  if (after !== undefined) {
    const better = lessIsBetter ? after < before : after > before;
    const mood = after === before || lessIsBetter === null ? "" : better ? "better" : "worse";
    value.append(make("i", "", " → "), make("span", mood, show(after)));
  }
  box.append(make("dt", "", name), value);
  list.append(box);
}

function showCounts(list, f, simulation) {
  list.replaceChildren();
  const add = (name, key, lessIsBetter) =>
    addCount(list, name, f.before[key], f.after?.[key], lessIsBetter);
  add("blocks", "count", null);
  add("unstructured edges", "unstructured", true);
  add("irreducible loops", "irreducible", true);
  add("guards", "guards", null);
  add("instructions", "instructions", null);
  if (!simulation) return;
  const [before, after] = simulation;
  addCount(list, "warp instructions", before.warp_instructions, after.warp_instructions);
  addCount(list, "threads active", before.threads_active, after.threads_active, false, 1);
}

// ---- regions

function regionRow(f, number) {
  const region = f.regions[number], remarks = f.remarksOf[number];
  const row = make("tr");
  row.dataset.region = number;
  row.tabIndex = 0;
  const label = make("td", "number", `${"· ".repeat(region.depth)}${number}`);
  const words = make("td"), lines = region.blocks.flatMap((block) => f.linesOf(block));
  const place = make("span", "where", ` ${plural(region.blocks.length, "block")}`);
  if (lines.length > 0) place.append(`, ${briefly(lines)}`);
  words.append(make("span", `badge ${f.decisions[number]}`, decisions[f.decisions[number]]), place);
  for (const remark of remarks) words.append(make("p", "", remark.text));
  if (remarks.length === 0) words.append(make("p", "", "see what is said of the function"));
  row.append(label, words);
  return row;
}

function remarkLine(remark) {
  const line = make("p");
  const kind = { passed: "linearized", missed: "refused" }[remark.kind] ?? remark.kind;
  line.append(make("span", `badge ${kind}`, remark.name), " ",
              remark.block ? `${remark.block}: ` : "", remark.text);
  return line;
}

function showRegions(box, words, f) {
  box.replaceChildren();
  words.replaceChildren();
  if (f.refused) words.append(make("p", "", `Refused: ${f.refused}`));
  for (const remark of f.remarks.filter((each) => each.region === undefined))
    words.append(remarkLine(remark));
  if (f.refilling) words.append(remarkLine(f.refilling));
  if (f.regions.length === 0) {
    box.append(make("p", "empty", "None: the control flow is structured."));
    return;
  }
  const table = make("table"), head = make("tr"), body = make("tbody");
  for (const name of ["", "decision and why"]) head.append(make("th", "", name));
  table.append(make("thead"), body);
  table.tHead.append(head);
  for (let number = 0; number < f.regions.length; number++) body.append(regionRow(f, number));
  box.append(table);
}

// ---- source

function showSource(box, f, sources) {
  box.replaceChildren();
  const blocksAt = new Map(); // file -> line -> blocks before
  f.before.blocks.forEach((block, number) => {
    for (let i = 0; i < block.lines.length; i += 2) {
      const [file, line] = [block.lines[i], block.lines[i + 1]];
      if (!blocksAt.has(file)) blocksAt.set(file, new Map());
      const lines = blocksAt.get(file);
      lines.set(line, [...(lines.get(line) ?? []), number]);
    }
  });
  if (blocksAt.size === 0) {
    box.append(make("p", "empty", "No debug information: compile with -gline-tables-only."));
    return;
  }
  const files = [...blocksAt.keys()].sort((a, b) => (b === f.file) - (a === f.file) || a - b);
  for (const file of files) showFile(box, sources[file], file, blocksAt.get(file));
}

function showFile(box, source, file, blocksAt) {
  const title = source.read ? source.path : `${source.path} (can't be read)`;
  const table = make("table", "mono");
  const used = [...blocksAt.keys()].sort((a, b) => a - b), around = source.read ? 4 : 0;
  let shown = 0;
  for (const line of used) {
    const from = Math.max(shown + 1, line - around);
    if (shown > 0 && from > shown + 1 + (source.read ? 8 : 0)) table.append(gapRow());
    const first = shown > 0 && from <= shown + 9 ? shown + 1 : from;
    for (let at = first; at <= line + around; at++) {
      if (at <= shown || (source.lines[at] === undefined && !blocksAt.has(at))) continue;
      table.append(lineRow(file, at, source.lines[at] ?? "", blocksAt.get(at)));
    }
    shown = Math.max(shown, line + around);
  }
  box.append(make("h4", "", title), table);
}

function gapRow() {
  const row = make("tr", "gap"), cell = make("td", "", "⋯");
  cell.colSpan = 2;
  row.append(cell);
  return row;
}

function lineRow(file, line, text, blocks) {
  const row = make("tr", blocks ? "has" : "");
  row.append(make("td", "", line), make("td", "", text));
  if (blocks) {
    row.dataset.line = `${file}:${line}`;
    row.blocks = blocks;
  }
  return row;
}

// ---- a block

function showBlock(box, f, side, number) {
  box.replaceChildren();
  if (number === null) {
    box.append(make("p", "empty", "Click a block to see its instructions."));
    return;
  }
  const sides = make("div", "sides");
  for (const name of ["before", "after"]) {
    const block = f[name] && (name === side ? number : f.twinOf(side, number));
    if (block === undefined || block === null) continue;
    const part = make("div");
    part.append(make("b", "", name), " ", make("span", "mono", f[name].blocks[block].name),
                make("pre", "", f[name].blocks[block].text || "no instructions"));
    sides.append(part);
  }
  sides.classList.toggle("one", sides.children.length === 1);
  box.append(sides);
}
