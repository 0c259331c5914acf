import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { barriersOn, chromiumPath, openBrowser, seen, visit } from "./browser.ts";
import { freshHome, runProgram, type Served, sample, startServer } from "./program.ts";

if (!chromiumPath) {
  test("NOT RUN: the browser journey, because no Chromium is installed", () => {
    process.stderr.write(
      "\nThe browser journey was NOT RUN: no Chromium is installed. Install one, or name it in CHROMIUM_PATH.\n",
    );
  });
}

describe.runIf(chromiumPath)("the page in a browser", () => {
  let browser: Browser;
  let served: Served;
  let library: string;

  beforeAll(async () => {
    const home = freshHome();
    library = join(home, "library");
    cpSync(sample, library, { recursive: true });
    for (const name of ["handbook", "notes"]) {
      const added = await runProgram(["collection", "add", join(library, name)], { home });
      expect(added).toMatchObject({ code: 0 });
    }
    [served, browser] = await Promise.all([startServer(home), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await served?.stop();
  });

  test("[house.web.search] typing finds documents, marks the words and narrows by collection", async () => {
    const { page, complaints } = await visit(browser, served.url);
    await seen(page, "7 documents in 2 collections");

    await page.getByRole("searchbox", { name: "Search the library" }).pressSequentially("lending");

    await seen(page, "3 results");
    const first = page.locator(".result").first();
    expect(await first.getByRole("link").textContent()).toBe("Lending and returns");
    expect(await first.locator(".file").textContent()).toBe("handbook/lending.md");
    expect(await first.locator(".score").textContent()).toMatch(/\d+ %$/);
    expect(await first.locator("mark").allTextContents()).toContain("Lending");

    await page.locator("label", { hasText: "notes" }).click();

    await seen(page, "1 result");
    expect(page.url()).toBe(`${served.url}/?q=lending&in=notes`);
    expect(complaints).toEqual([]);
  });

  test("[house.web.reader] a result opens beside the list at its line; reload and back hold", async () => {
    const { page, complaints } = await visit(browser, `${served.url}/?q=nitrile+gloves`);

    await page.getByRole("link", { name: "Preserving paper" }).click();

    const reader = page.getByRole("region", { name: "Preserving paper and tape" });
    const line = reader.locator("[aria-current=location]");
    await line.waitFor();
    const text = readFileSync(join(library, "handbook/preservation.md"), "utf8").split("\n");
    const number = Number(await line.getAttribute("data-number"));
    expect(await line.textContent()).toBe(text[number - 1]);
    expect(await line.textContent()).toContain("gloves");
    expect(await reader.locator(".line").allTextContents()).toHaveLength(text.length);
    expect(await page.locator(".result").first().isVisible()).toBe(true);
    expect(page.url()).toContain(`open=handbook%2Fpreservation.md&line=${number}`);

    await page.reload();
    expect(await line.getAttribute("data-number")).toBe(String(number));
    await page.goBack();
    await reader.waitFor({ state: "detached" });
    await seen(page, "1 result");
    await page.goForward();
    await reader.waitFor();
    expect(complaints).toEqual([]);
  });

  test("[house.web.long] a document of many lines is read in parts, under any name", async () => {
    const name = "a & b #1 100% – <i>.md";
    const lines = Array.from({ length: 30_000 }, (_, index) => `Entry ${index + 1}`);
    lines[19_999] = "<img src=x onerror=alert(1)> & quagga";
    writeFileSync(join(library, "notes", name), lines.join("\n"));
    const { page, complaints } = await visit(browser, `${served.url}/?q=quagga`);

    await page.locator(".result a").click();

    const here = page.locator(".reader [aria-current]");
    await here.waitFor();
    expect(await here.textContent()).toBe(lines[19_999]);
    expect(await here.getAttribute("data-number")).toBe("20000");
    expect(await page.locator(".reader .file").textContent()).toBe(`notes/${name}`);
    await page.getByRole("link", { name: "Later lines" }).click();
    await page.locator(".reader [data-number='21500'][aria-current]").waitFor();
    await page.getByRole("link", { name: "Earlier lines" }).click();
    await page.locator(".reader [data-number='20999'][aria-current]").waitFor();
    await page.goto(`${served.url}/?open=${encodeURIComponent(`notes/${name}`)}&line=99999`);
    await seen(page, "The document ends before line 99999");
    await page.getByRole("link", { name: "From the beginning" }).click();
    await page.locator(".reader [data-number='1'][aria-current]").waitFor();
    expect(complaints).toEqual([]);
    rmSync(join(library, "notes", name));
  });

  test("[house.web.live] results and the open document follow the files on disk", async () => {
    const { page, complaints } = await visit(browser, `${served.url}/?q=foghorn`);
    await seen(page, "Nothing found");
    const place = join(library, "notes/horn.md");

    writeFileSync(place, "# The foghorn\n\nIt sounds every thirty seconds.\n");
    await page.getByRole("link", { name: "The foghorn" }).click();
    const reader = page.getByRole("region", { name: "The foghorn" });
    await seen(page, "every thirty seconds");

    appendFileSync(place, "\nSince March it is silent.\n");
    await reader.getByText("Since March it is silent.").waitFor();
    await reader.getByText("Changed on disk").waitFor();

    rmSync(place);
    await seen(page, "Nothing found");
    await seen(page, "Document not found: notes/horn.md");
    expect(complaints.filter((words) => !words.includes("404"))).toEqual([]);
  });

  test("[house.web.first-step] an empty library says what to do, and fills when it is done", async () => {
    const home = freshHome();
    const empty = await startServer(home);
    try {
      const { page, complaints } = await visit(browser, empty.url);
      await seen(page, "lectern collection add");
      expect(await barriersOn(page)).toEqual([]);

      const folder = join(home, "papers");
      mkdirSync(folder);
      writeFileSync(join(folder, "one.md"), "# One\n");
      expect(await runProgram(["collection", "add", folder], { home })).toMatchObject({ code: 0 });

      await seen(page, "1 document in 1 collection");
      expect(complaints).toEqual([]);
    } finally {
      await empty.stop();
    }
  });

  test("[house.web.keys] everything is reached by keyboard alone", async () => {
    const { page } = await visit(browser, served.url);
    const focused = page.locator(":focus");
    const press = (...keys: string[]) => inTurn(keys, (key) => page.keyboard.press(key));
    await seen(page, "in 2 collections");

    await press("Tab", "/");
    expect(await focused.getAttribute("id")).toBe("search");
    await page.keyboard.type("tape");
    await seen(page, "2 results");
    const titles = await page.locator(".result a").allTextContents();

    await press("ArrowDown", "j");
    expect(await focused.textContent()).toBe(titles[1]);
    await press("k");
    expect(await focused.textContent()).toBe(titles[0]);
    await press("ArrowDown", "Enter");
    await page.getByRole("region", { name: titles[1] ?? "" }).waitFor();
    await expect.poll(() => focused.getAttribute("class"), patiently).toBe("reader");

    await press("Escape");
    await expect.poll(() => focused.textContent(), patiently).toBe(titles[1]);
    await press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await focused.textContent()).toBe(titles[1]);

    await press("Escape");
    await page.keyboard.type("sticky");
    await press("Enter");
    await page.getByRole("region", { name: "Preserving paper and tape" }).waitFor();
  });

  test("[house.web.character-keys] keys of one character can be turned off, and stay off", async () => {
    const { page } = await visit(browser, `${served.url}/?q=tape`);
    await seen(page, "2 results");

    await page.getByRole("button", { name: "Keys" }).click();
    await page.getByRole("checkbox", { name: "single character" }).uncheck();
    await page.getByRole("button", { name: "Close" }).click();
    await page.reload();
    await seen(page, "2 results");
    await page.keyboard.press("Tab");
    await page.keyboard.press("/");

    expect(await page.locator("#search:focus").count()).toBe(0);
  });

  test("[house.web.barriers] axe finds no barrier on any view, light or dark, wide or narrow", {
    timeout: 120_000,
  }, async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1280, 320]) {
        const { page } = await visit(browser, served.url, {
          colorScheme,
          viewport: { width, height: 700 },
          reducedMotion: "reduce",
        });
        const check = async (path: string, words: string) => {
          await page.goto(served.url + path);
          await seen(page, words);
          expect(await barriersOn(page), `${colorScheme} ${width} ${path}`).toEqual([]);
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        };
        await check("/", "in 2 collections");
        await check("/?q=tape&in=handbook", "1 result");
        await check("/?q=tape&open=handbook/preservation.md&line=15", "stand upright");
        await check("/?q=tape&open=handbook/missing.md", "Document not found");
        await check("/?q=tape&in=nowhere", "Collection not found");
        await page.getByRole("button", { name: "Keys" }).click();
        expect(await barriersOn(page), `${colorScheme} ${width} keys`).toEqual([]);
        await page.context().close();
      }
    }
  });

  test("[house.web.lost] a page whose server is gone says so, and recovers with it", async () => {
    const home = freshHome();
    const before = await startServer(home);
    const { page } = await visit(browser, before.url);
    await seen(page, "lectern collection add");

    await before.stop();
    await seen(page, "The server does not answer");
    const after = await startServer(home, ["--port", new URL(before.url).port]);
    try {
      await page.getByText("The server does not answer").waitFor({ state: "hidden" });
    } finally {
      await after.stop();
    }
  });
});

const patiently = { timeout: 10_000 };

async function inTurn<Item>(items: readonly Item[], act: (item: Item) => Promise<void>) {
  for (const item of items) await act(item);
}
