#!/usr/bin/env python3
"""Opens pages of linearize-graph in a real browser, without network, and uses them as people do.

  browser.py --graph PROGRAM --clang PROGRAM --source FOLDER --out FOLDER

Pages and screenshots stay in the last folder. It needs Debian's chromium, chromium-driver and
python3-selenium (scripts/setup --browser); without them it ends with status 77, not tested.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

DEVICE = ["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-O3", "-gline-tables-only", "-nocudainc",
          "-nocudalib", "--cuda-path=/nonexistent", "--cuda-feature=+ptx80", "-S", "-emit-llvm"]
LAUNCH = ("--kernel conditions --block 256 --arg buf:u32:64:random --arg buf:u32:256 --arg u32:8")
LARGE_SEED = "209"  # 575 blocks, a region of more than 500
SLOWEST_PAGE, SLOWEST_CLICK = 60, 5  # seconds, on a machine that does other things too


def skip(why):
    print("\n*** NOT TESTED: linearize-graph's pages in a browser: %s\n" % why, file=sys.stderr)
    sys.exit(77)


try:
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
    from selenium.webdriver.common.by import By
except ImportError:
    skip("python3-selenium is missing: run scripts/setup --browser")

parser = argparse.ArgumentParser()
for option in ["--graph", "--clang", "--source", "--out"]:
    parser.add_argument(option, type=pathlib.Path, required=True)
paths = parser.parse_args()
inputs = paths.source / "test/report/Inputs"
failures = []


def check(condition, text):
    if not condition:
        failures.append(text)
        print("FAILED: " + text)


def start_browser():
    for program in ["chromium", "chromedriver"]:
        if not shutil.which(program):
            skip("%s is missing: run scripts/setup --browser" % program)
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    # Names have no addresses: nothing can be fetched. Root needs --no-sandbox.
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=1600,1000"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    try:
        return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    except WebDriverException as error:
        skip("the browser doesn't start: %s" % str(error).splitlines()[0])


class Page:
    """A page in the browser, with the data that it should show."""

    def __init__(self, driver, name, arguments):
        self.driver = driver
        self.name = name
        self.file = paths.out / (name + ".html")
        begin = time.monotonic()
        subprocess.run([paths.graph, *arguments[:1], "-o", self.file, *arguments[1:]], check=True)
        self.seconds = time.monotonic() - begin
        text = self.file.read_text(encoding="utf-8")
        self.data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])
        driver.get("about:blank")
        driver.get(self.file.resolve().as_uri())

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def js(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def hover(self, element):
        ActionChains(self.driver).move_to_element(element).perform()

    def away(self):
        self.hover(self.one("#facts"))

    def shoot(self, what):
        self.driver.save_screenshot(str(paths.out / ("%s-%s.png" % (self.name, what))))

    def function(self, name):
        return next(f for f in self.data["functions"] if f["name"] == name)

    def node(self, side, block):
        """The drawn block, by its name or what a guard says."""
        found = self.js("""
            return [...document.querySelectorAll(`#pane-${arguments[0]} .node`)]
              .find((node) => node.querySelector("text").textContent === arguments[1])""",
                        side, block)
        check(found is not None, "%s: no block %s %s is drawn" % (self.name, block, side))
        return found

    def names(self, side, selector):
        """First lines of the drawn blocks that match, sorted."""
        return sorted(self.js("""
            return [...document.querySelectorAll(`#pane-${arguments[0]} .node${arguments[1]}`)]
              .map((node) => node.querySelector("text").textContent)""", side, selector))

    def finish(self):
        """What must hold at the end of any visit."""
        log = self.driver.get_log("browser")
        check(not log, "%s: the console says %s" % (self.name, log))
        fetched = self.js("return performance.getEntriesByType('resource').map((e) => e.name)")
        check(not fetched, "%s: it fetches %s" % (self.name, fetched))


def blocks_in(f, side, region):
    """Names of the blocks of a region, or of one in it; a guard says what it lets in."""
    def is_in(at):
        while at is not None and at != region:
            at = f["regions"][at].get("parent")
        return at == region
    blocks = f[side]["blocks"]
    return sorted(blocks[b["guard"]]["name"] + "?" if "guard" in b else b["name"]
                  for b in blocks if is_in(b.get("region")))


def counts_of(page, side, name):
    run = page.data["simulation"]["runs"][["before", "after"].index(side)]
    f = next(f for f in run["functions"] if f["name"] == "conditions")
    return next(b for b in f["blocks"] if b["name"] == name)


# ---- the parts of a page -----------------------------------------------------------------------

def test_functions(page):
    shown = lambda: [item.text.splitlines()[0] for item in page.all("#list li")
                     if item.is_displayed()]
    check(page.one("#title").text == "conditions", "the kernel that was run is shown first")
    check(len(shown()) == 4, "all functions are listed")
    box = page.one("#filter")
    box.send_keys("ENTR")
    check(shown() == ["entries"], "the filter leaves one function: %s" % shown())
    check(page.one("#matching").text == "1 of 4 functions", "the filter says how many it leaves")
    page.shoot("filter")
    box.clear()
    for text in ["first_ofij", "search::First"]:  # by the symbol, too
        box.send_keys(text)
        check(shown() == ["unsigned int Search::first_of<unsigned int>(unsigned int const*, "
                          "unsigned int, unsigned int)"], "%s is found: %s" % (text, shown()))
        box.clear()
    box.send_keys("nothing")
    check(shown() == [], "the filter can leave nothing")
    box.clear()
    box.send_keys(" \b")
    check(len(shown()) == 4, "all come back: %s" % shown())
    next(i for i in page.all("#list li button") if i.text.startswith("entries")).click()
    check(page.one("#title").text == "entries", "a click shows another function")
    check(page.names("before", "") == sorted(b["name"] for b in
          page.function("entries")["before"]["blocks"]), "the drawing is that function's")
    page.shoot("entries")
    refilled = page.function("entries")["refilling"]
    check(refilled["kind"] == "passed" and refilled["text"] in page.one("#words").text,
          "how it is refilled stands there: %s" % page.one("#words").text)
    for side in ["before", "after"]:
        check(page.names(side, ".refilled") == [refilled["block"]],
              "the loop that is refilled is marked %s: %s" % (side, page.names(side, ".refilled")))
    check("refilled loop" in page.one("#legend").text, "the legend has it")
    badges = [badge.text for badge in page.all("#regions .badge")]
    check(badges == ["linearized with another", "linearized", "left alone"], "decisions are %s" % badges)
    for region in range(3):  # in each other
        check_region(page, page.function("entries"), region)
    page.driver.back()
    page.driver.back() if page.one("#title").text != "conditions" else None
    check(page.one("#title").text == "conditions", "the browser's way back works")


def check_region(page, f, region):
    page.all("#regions tbody tr")[region].click()
    for side in ["before", "after"]:
        wanted = blocks_in(f, side, region)
        check(len(wanted) > 1, "the region has blocks")
        check(page.names(side, ".picked") == wanted,
              "a click on region %d picks its blocks %s: %s, not %s"
              % (region, side, page.names(side, ".picked"), wanted))


def test_regions(page):
    f = page.function("conditions")
    check_region(page, f, 0)
    for side in ["before", "after"]:
        others = page.js("""const node = document.querySelector(
            `#pane-${arguments[0]} .node:not(.picked)`); return getComputedStyle(node).opacity""",
                         side)
        check(float(others) < 0.5, "other blocks fade")
        check(len(page.all("#pane-%s .cluster.picked" % side)) == 1, "its frame is picked")
    check(page.all("#source tr.picked"), "its lines are picked")
    page.away()
    page.shoot("region")
    page.one("#regions tbody tr").click()
    check(page.names("before", ".picked") == [], "a second click takes that back")
    page.one("#pane-before .cluster text").click()
    check(page.one("#regions tbody tr").get_attribute("class") == "picked",
          "a click on a frame picks its row")
    page.js("document.activeElement.blur()")
    ActionChains(page.driver).send_keys("\ue00c").perform()  # Escape
    check(page.names("before", ".picked") == [], "Escape takes that back")


def test_words(page):
    f = page.function("conditions")
    row = page.one("#regions tbody tr").text
    check(page.one("#regions .badge").text == "linearized", "the decision stands there: %s" % row)
    for remark in f["remarks"]:
        check(remark["text"] in row, "the remark stands there: %s" % row)
    counts = page.one("#counts").text.replace("\n", " ")
    for key, name in [("count", "blocks"), ("unstructured", "unstructured edges"),
                      ("guards", "guards"), ("instructions", "instructions")]:
        text = "%s %d → %d" % (name, f["before"][key], f["after"][key])
        check(text in counts, "the counts say `%s`: %s" % (text, counts))
    refused = f["refilling"]
    check(refused["block"] + ": " + refused["text"] in page.one("#words").text,
          "why it isn't refilled stands there: %s" % page.one("#words").text)
    check(not page.all("#graphs .node.refilled"), "no loop is marked")
    legend = page.one("#legend").text
    for name in ["branch", "jump out", "jump in", "region", "guard", "uniform"]:
        check(name in legend, "the legend has %s" % name)


def title(page, element):
    return page.js("return arguments[0].querySelector(':scope > title').textContent", element)


def test_titles(page):
    f = page.function("conditions")
    block = next(b for b in f["before"]["blocks"] if "region" in b)
    for shown in ["before", "after"]:
        text = title(page, page.node(shown, block["name"]))
        check(text.startswith(block["name"] + "\n"), "a block says its name: %s" % text)
        counts = [counts_of(page, side, block["name"]) for side in ["before", "after"]]
        for key, name in [("warp_instructions", "warp instructions"),
                          ("block_entries", "times entered by warps"),
                          ("thread_entries", "times entered by threads")]:
            wanted = "%s: {:,} → {:,}\n".format(*[int(each[key]) for each in counts]) % name
            check(wanted in text, "it says `%s`: %s" % (wanted, text))
    guard = title(page, page.all("#pane-after .node.guard")[0])
    check("a guard: lets threads into " in guard, "a guard says that it is one: %s" % guard)
    edge = title(page, page.one("#pane-before .edge.branch"))
    check(" → " in edge and "unstructured: branch" in edge, "an edge says its kind: %s" % edge)
    region = title(page, page.one("#pane-before .cluster"))
    check(region.startswith("region 0: linearized\n" + f["remarks"][0]["text"]), "a region says: %s" % region)


def test_block(page):
    f = page.function("conditions")
    block = next(b for b in f["after"]["blocks"] if "region" in b and "original" in b)
    page.node("after", block["name"]).click()
    shown = page.one("#block")
    check(shown.is_displayed(), "a click on a block shows its instructions")
    first = block["text"].splitlines()[0].strip()
    check(first in shown.text, "`%s` stands there: %s" % (first, shown.text))
    check(page.names("before", ".pinned") == [block["name"]], "it is marked on the other side")
    page.away()
    page.shoot("block")
    page.one("#tab-source").click()
    check(page.one("#source").is_displayed() and not shown.is_displayed(), "the tabs work")
    lines = [int(row.find_element(By.TAG_NAME, "td").text) for row in page.all("#source tr.picked")]
    own = f["before"]["blocks"][block["original"]]["lines"][1::2]
    check(lines and set(lines) == set(own), "its lines are marked: %s, not %s" % (lines, own))
    line = max(line for b in f["before"]["blocks"] for line in b["own"])
    wanted = sorted(b["name"] for b in f["before"]["blocks"] if [f["file"], line] in
                    [b["lines"][i:i + 2] for i in range(0, len(b["lines"]), 2)])
    page.one('#source [data-line="%d:%d"]' % (f["file"], line)).click()
    check(page.names("before", ".pinned") == wanted, "a click on a line picks its blocks")
    ActionChains(page.driver).send_keys("\ue00c").perform()


def fills(page, side):
    return page.js("""return [...document.querySelectorAll(`#pane-${arguments[0]} .node`)].map(
        (node) => getComputedStyle(node.querySelector("polygon, ellipse")).fill)""", side)


def test_heat(page):
    check(len(set(fills(page, "before"))) > 3, "blocks have heat")
    before = fills(page, "before")
    page.js("""const select = document.getElementById("metric"); select.value = "reentries";
               select.dispatchEvent(new Event("change"))""")
    check(fills(page, "before") != before, "another metric gives another heat")
    check(len(set(fills(page, "after"))) <= 2, "no warp enters a block again afterwards")
    page.shoot("again")
    page.js("""const select = document.getElementById("metric"); select.value = "warp_instructions";
               select.dispatchEvent(new Event("change"))""")
    check(fills(page, "before") == before, "and back")


def test_zoom(page):
    box = lambda: page.one("#pane-before .canvas > svg").rect
    canvas = page.one("#pane-before .canvas").rect
    first = box()
    for _ in range(8):
        page.all("#pane-before .tools button")[1].click()
    check(box()["width"] > 4 * first["width"], "+ makes it larger")
    page.js("document.querySelector('#pane-before .canvas').scrollTo(0, 0)")
    corner = box()
    origin = ScrollOrigin.from_element(page.one("#pane-before .canvas"))
    ActionChains(page.driver).scroll_from_origin(origin, 0, 300).perform()
    time.sleep(0.5)  # it scrolls smoothly
    check(box()["y"] < corner["y"] - 100, "the wheel moves it")
    check(corner["x"] >= canvas["x"] - 1 and corner["y"] >= canvas["y"] - 1, "all of it can be scrolled to")
    f = page.function("conditions")
    page.node("after", f["before"]["blocks"][-1]["name"]).click()
    node, fits = page.node("before", f["before"]["blocks"][-1]["name"]).rect, canvas["height"] / 2
    check(canvas["y"] - fits < node["y"] < canvas["y"] + canvas["height"], "a block that is picked is scrolled to")
    ActionChains(page.driver).send_keys("\ue00c").perform()
    page.all("#pane-before .tools button")[2].click()
    fitted = box()
    check(fitted["width"] <= canvas["width"] and fitted["height"] <= canvas["height"], "fit shows all of it")


def prefer(page, scheme):
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": scheme}]})


def test_themes(page):
    colour = lambda: page.js("return getComputedStyle(document.body).backgroundColor")
    light = colour()
    prefer(page, "dark")
    check(colour() != light, "there is a dark theme")
    page.shoot("dark")
    contrast = page.js("""
      const bright = (text) => { const c = text.match(/[\\d.]+/g).slice(0, 3).map((v) => v / 255)
        .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; };
      const style = getComputedStyle(document.body);
      const pair = [bright(style.color), bright(style.backgroundColor)].sort((a, b) => b - a);
      return (pair[0] + 0.05) / (pair[1] + 0.05)""")
    check(contrast > 7, "text is legible in the dark: contrast %.1f" % contrast)
    prefer(page, "light")


def test_costs(page):
    button = page.one("#costs-button")
    button.click()
    check(not page.one("main").is_displayed(), "what divergence costs stands in place of the functions")
    page.shoot("costs")
    inside = """const root = document.getElementById("costs").contentDocument;
                return """
    check("conditions" in page.js(inside + "root.querySelector('h2').textContent"), "of the kernel that ran")
    check(page.js(inside + "root.querySelectorAll('svg').length") == 2, "with bars, and lanes over time")
    check(page.js(inside + "root.querySelector('pre').textContent").count("%") > 2, "and lines with what they cost")
    colour = inside + "getComputedStyle(root.body).backgroundColor"
    light = page.js(colour)
    prefer(page, "dark")
    check(page.js(colour) != light, "in the page's theme")
    prefer(page, "light")
    button.click()
    check(page.one("main").is_displayed() and not page.one("#costs").is_displayed(), "and back")
    button.click()
    page.one("#list button").click()
    check(page.one("main").is_displayed(), "a function that is picked is shown")


# ---- pages -------------------------------------------------------------------------------------

def test_kernels(driver):
    module, launch = paths.out / "three.ll", paths.out / "three.launch"
    subprocess.run([paths.clang, *DEVICE, inputs / "three.cu", "-o", module], check=True)
    launch.write_text(LAUNCH)
    page = Page(driver, "kernels", [module, "--launch", launch])
    page.shoot("first")
    for test in [test_functions, test_regions, test_words, test_titles, test_block, test_heat,
                 test_zoom, test_themes, test_costs]:
        test(page)
    driver.set_window_size(700, 900)
    page.shoot("narrow")
    wide = page.js("return document.documentElement.scrollWidth - innerWidth")
    check(wide <= 0, "a narrow window isn't too narrow: %d" % wide)
    driver.set_window_size(1600, 1000)
    page.finish()


def test_names(driver):
    page = Page(driver, "names", [inputs / "names.ll", "--mode", "paper"])
    f = page.data["functions"][0]
    check("<img" in f["name"], "the name that means something is there")
    check(page.one("#title").text == f["name"], "it is shown as it is: " + page.one("#title").text)
    check(not page.all("img, b.mono img") and len(page.all("script")) == 2, "it makes no element")
    for side in ["before", "after"]:
        wanted = sorted(f[side]["blocks"][b["guard"]]["name"] + "?" if "guard" in b else b["name"]
                        for b in f[side]["blocks"])
        check(page.names(side, "") == wanted, "names are drawn as they are: %s, not %s"
              % (page.names(side, ""), wanted))
    page.node("before", "</svg><b>").click()
    check("store volatile i32 1" in page.one("#block").text, "their blocks can be clicked")
    page.shoot("block")
    page.finish()


def test_large(driver):
    module = paths.out / "large.ll"
    generate = paths.source / "test/exec/Inputs/generate.py"
    text = subprocess.run([sys.executable, generate, "--seed", LARGE_SEED, "--count", "1",
                           "--blocks", "700"], check=True, capture_output=True, text=True).stdout
    module.write_text(text)
    page = Page(driver, "large", [module, "--mode", "paper,any-target", "--function",
                                  "f" + LARGE_SEED])
    f = page.data["functions"][0]
    check(len(f["before"]["blocks"]) > 500, "it has more than 500 blocks")
    check(page.seconds < SLOWEST_PAGE, "the page takes %.1f s" % page.seconds)
    check(len(page.all("#pane-before .node")) == len(f["before"]["blocks"]), "all are drawn")
    check(len(page.all("#pane-after .node")) == len(f["after"]["blocks"]), "all are drawn after")
    page.shoot("first")
    begin = time.monotonic()
    page.one("#regions tbody tr").click()
    seconds = time.monotonic() - begin
    check(seconds < SLOWEST_CLICK, "a click takes %.1f s" % seconds)
    check(page.names("after", ".picked") != [], "regions can be picked")
    page.shoot("region")
    page.all("#pane-after .tools button")[2].click()
    page.shoot("fit")
    page.finish()
    print("%d blocks: %.1f s for the page of %d KB, %.2f s for a click"
          % (f["after"]["count"], page.seconds, page.file.stat().st_size // 1024, seconds))


def test_forms(driver):
    module = paths.out / "forms.ll"
    blocks = "".join("b%d: br label %%b%d\n" % (i, i + 1) for i in range(3000))
    module.write_text((inputs / "forms.ll").read_text() + "define void @large() {\n%sb3000: ret void\n}\n" % blocks)
    page = Page(driver, "forms", [module, "--mode", "paper"])
    next(i for i in page.all("#list li button") if i.text.startswith("large")).click()
    check("too large to be drawn" in page.one("#pane-before").text, "it says what isn't drawn")
    next(i for i in page.all("#list li button") if i.text.startswith("refused")).click()
    check("indirectbr" in page.one("#words").text, "it says why a function is refused")
    next(i for i in page.all("#list li button") if i.text.startswith("structured")).click()
    check(not page.one("#pane-after").is_displayed(), "what is unchanged is drawn once")
    check("structured" in page.one("#regions").text, "and said to be structured")
    page.shoot("unchanged")
    page.finish()


def main():
    paths.out.mkdir(parents=True, exist_ok=True)
    driver = start_browser()
    try:
        for test in [test_kernels, test_names, test_large, test_forms]:
            test(driver)
    finally:
        driver.quit()
    print("%d failures; screenshots in %s" % (len(failures), paths.out))
    sys.exit(1 if failures else 0)


main()
