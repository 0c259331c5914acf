import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityIssues, chromiumPath, waitForText } from "../browser.ts";
import { runProgram, type Served } from "../program.ts";
import { openReadingSetup, type ReadingSetup } from "./reading-page.ts";

describe.runIf(chromiumPath)("searching in a browser", () => {
  let setup: ReadingSetup;
  let server: Served;
  let home: string;
  let open: ReadingSetup["open"];

  beforeAll(async () => {
    setup = await openReadingSetup(["handbook", "notes", "docs"]);
    ({ server, home, open } = setup);
  });
  afterAll(() => setup?.close());

  /** Waits until the list shows the results of this query; it is updated while a query is typed. */
  const answers = (page: Page, query: string) =>
    page.locator(`.results[data-answers="${query}"]`).waitFor({ state: "attached" });
  const titles = (page: Page) => page.locator(".result a").allTextContents();
  const expectResults = (page: Page, ...expected: string[]) =>
    expect.poll(async () => (await titles(page)).toSorted()).toEqual(expected);

  test("[core.web.search] typing finds documents, highlights the words and filters by collection", async () => {
    const { page, consoleErrors } = await open("");
    await waitForText(page, "in 3 collections");

    await page.getByRole("searchbox", { name: "Search the library" }).pressSequentially("lending");

    await answers(page, "lending");
    await waitForText(page, "3 results");
    const first = page.locator(".result").first();
    expect(await first.getByRole("link").textContent()).toBe("Lending and returns");
    expect(await first.locator(".file").textContent()).toBe("handbook/lending.md");
    expect(await first.locator(".score").textContent()).toMatch(/\d+ %$/);
    expect(await first.locator("mark").allTextContents()).toContain("Lending");

    await page.locator("label", { hasText: "notes" }).click();

    await waitForText(page, "1 result");
    expect(page.url()).toBe(`${server.url}/?q=lending&in=notes`);
    expect(consoleErrors).toEqual([]);
  });

  test("[web.search.letters] characters typed while the page is busy are not lost", async () => {
    const { page } = await open("");
    await waitForText(page, "in 3 collections");

    // The character follows immediately, before the page has rendered the previous input.
    await page.evaluate(`{
      const field = document.querySelector("#search");
      const type = (words) => {
        field.value = words;
        field.dispatchEvent(new Event("input"));
      };
      const replace = history.replaceState;
      history.replaceState = (...given) => {
        history.replaceState = replace;
        replace.apply(history, given);
        type("zebra");
      };
      type("zebr");
    }`);

    await answers(page, "zebra");
    expect(await page.getByRole("searchbox").inputValue()).toBe("zebra");
    await page.goBack();
    await page.goto(`${server.url}/?q=lending`);
    await page.getByRole("link", { name: "Lectern" }).click();
    await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("");
    await page.goBack();
    await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("lending");
  });

  test("[web.search.facets] type, language, date and front matter filter results, stay in the address and can be removed", async () => {
    const { page, consoleErrors } = await open("/?q=zebra");
    await expectResults(page, "Letter one", "Letter three", "Letter two", "list");

    await page.getByText("Filters", { exact: true }).click();
    await page.getByLabel("Type").selectOption("md");
    await expectResults(page, "Letter one", "Letter three", "Letter two");
    await page.getByLabel("Language").selectOption("en");
    await expectResults(page, "Letter one", "Letter three");
    await page.getByLabel("From").fill("2024-01-01");
    await expectResults(page, "Letter three");
    await page.getByRole("button", { name: "from 2024-01-01" }).click();
    await page.getByLabel("status").selectOption("draft");
    await expectResults(page, "Letter one");

    await page.reload();
    await expectResults(page, "Letter one");
    expect(page.url()).toContain("type=md&language=en&where=status%3Ddraft");
    await page.getByRole("button", { name: "Remove all" }).click();
    await expectResults(page, "Letter one", "Letter three", "Letter two", "list");
    expect(page.url()).toBe(`${server.url}/?q=zebra`);
    expect(consoleErrors).toEqual([]);
  });

  test("[web.search.preview] a wide page previews the selected result, and Enter opens it at the match", async () => {
    const { page, consoleErrors } = await open("");
    const preview = page.getByRole("complementary", { name: "Preview" });
    await page.getByRole("searchbox").focus();
    await page.keyboard.type("zebra");

    await answers(page, "zebra");
    await preview.locator("mark").first().waitFor();
    const [first, second] = await titles(page);
    await preview.getByRole("heading", { name: first ?? "" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await preview.getByRole("heading", { name: second ?? "" }).waitFor();
    expect(await page.locator(":focus").textContent()).toBe(second);
    expect(page.url()).toBe(`${server.url}/?q=zebra`);

    await page.keyboard.press("Enter");
    const reader = page.getByRole("region", { name: second ?? "" });
    await reader.waitFor();
    await expect.poll(() => page.locator(":focus").getAttribute("class")).toBe("reader");
    expect(await preview.count()).toBe(0);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(":focus").textContent()).toBe(second);
    await preview.waitFor();

    await page.setViewportSize({ width: 800, height: 700 });
    await preview.waitFor({ state: "detached" });
    expect(consoleErrors).toEqual([]);
  });

  test("[web.search.reasons] a score shows on request which words contributed to it, by keyboard too", async () => {
    const { page, consoleErrors } = await open("/?q=lamp+dusk+zebra");
    const reasons = page.locator(".result").first().locator(".reasons");

    await reasons.locator("summary").focus();
    await page.keyboard.press("Enter");

    await reasons.getByRole("row", { name: /zebra \d+ % \d+ % text 1 ×/ }).waitFor();
    expect(await reasons.getByRole("row").count()).toBe(4);
    expect(consoleErrors).toEqual([]);
  });

  test("[web.search.modes] semantic search is available on request, and missing vectors are built from there", async () => {
    const { page } = await open("/?q=how+is+the+light+kindled+in+the+evening");
    await waitForText(page, "result");

    await page.getByText("Meaning", { exact: true }).click();
    await waitForText(page, "Vector index not found");
    expect(page.url()).toContain("by=meaning");
    await page.getByRole("button", { name: "Prepare search by meaning" }).click();
    await waitForText(page, "results");
    expect(await page.locator(".preparing button").count()).toBe(0);
    expect(await titles(page)).toContain("Letter one");

    await page.getByText("Both", { exact: true }).click();
    await page.locator(".reasons summary").first().click();
    await waitForText(page, "By meaning: rank");
  });

  test("[web.search.narrow] filters fit 360 pixels, and axe finds no issues", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1280, 360]) {
        const { page } = await open("/?q=zebra&language=en&where=status%3Ddraft&type=md", {
          colorScheme,
          viewport: { width, height: 700 },
        });
        await waitForText(page, "1 result");
        await page.getByText("Filters", { exact: true }).click();
        await page.locator(".reasons summary").first().click();
        await page.getByLabel("status").waitFor();
        await waitForText(page, "Strength");
        if (width > 1_000) await page.locator(".preview mark").first().waitFor();
        expect(await accessibilityIssues(page), `${colorScheme} ${width}`).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        await page.context().close();
      }
    }
  });

  test("[web.search.more] a long list shows its best results first and the rest on request", async () => {
    for (let number = 1; number <= 30; number++) {
      const file = join(home, "library", "docs", `toll-${number}.md`);
      writeFileSync(file, `# Toll ${number}\n\nPaid at the tollhouse.\n`);
    }
    expect(await runProgram(["update"], { home })).toMatchObject({ code: 0 });
    const { page, consoleErrors } = await open("/?q=tollhouse");
    await waitForText(page, "The best 20 results");

    await page.getByRole("button", { name: "More results" }).focus();
    await page.keyboard.press("Enter");

    await waitForText(page, "30 results");
    const all = await titles(page);
    expect(await page.locator(":focus").textContent()).toBe(all[20]);
    expect(await page.getByRole("button", { name: "More results" }).count()).toBe(0);
    expect(consoleErrors).toEqual([]);
  });
});
