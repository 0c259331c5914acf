import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { longBook } from "../../fixtures/search/reading-library.ts";
import { accessibilityIssues, chromiumPath, waitForText } from "../browser.ts";
import type { Served } from "../program.ts";
import { openReadingSetup, type ReadingSetup } from "./reading-page.ts";

describe.runIf(chromiumPath)("the reader in a browser", () => {
  let setup: ReadingSetup;
  let server: Served;
  let library: string;
  let open: ReadingSetup["open"];

  beforeAll(async () => {
    setup = await openReadingSetup(["handbook", "catalogue", "docs"], {
      prepare: (folder) => writeFileSync(join(folder, "docs", "book.md"), longBook(1_000_000)),
    });
    ({ server, library, open } = setup);
  });
  afterAll(() => setup?.close());

  const reader = (page: Page) => page.locator("section.reader");
  const current = (page: Page) => reader(page).locator("[aria-current=location]");
  /** Whether an element is completely within the viewport. */
  const isInSight = (page: Page, selector: string) =>
    page.evaluate(`(() => {
      const box = document.querySelector(${JSON.stringify(selector)})?.getBoundingClientRect();
      return box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
    })()`);

  test("[core.web.reader] a result opens beside the list at its line; reload and back keep it", async () => {
    const { page, consoleErrors } = await open("/?q=nitrile+gloves");

    await page.getByRole("link", { name: "Preserving paper" }).click();

    await current(page).waitFor();
    const number = Number(new URL(page.url()).searchParams.get("line"));
    const text = readFileSync(join(library, "handbook/preservation.md"), "utf8").split("\n");
    expect(text[number - 1]).toContain("gloves");
    expect(await current(page).textContent()).toContain("nitrile gloves, always");
    expect(await current(page).locator("mark").allTextContents()).toContain("gloves");
    expect(await page.locator(".result").first().isVisible()).toBe(true);
    expect(page.url()).toContain("open=handbook%2Fpreservation.md");

    await page.reload();
    expect(await current(page).textContent()).toContain("nitrile gloves, always");
    await page.goBack();
    await reader(page).waitFor({ state: "detached" });
    await waitForText(page, "1 result");
    await page.goForward();
    await current(page).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test("[web.reader.rendered] Markdown is rendered, and HTML is shown as source", async () => {
    const { page, consoleErrors } = await open("/?open=docs/everything.md");
    const text = reader(page).locator(".prose");
    await text.waitFor();

    expect(await text.getByRole("heading").allTextContents()).toEqual([
      "Lists",
      "Tables",
      "Quotes and code",
    ]);
    expect(await text.locator(".matter tr").allTextContents()).toEqual([
      "titleEverything a page can hold",
      "statusdraft",
      "tagslamp, tower",
    ]);
    expect(await text.locator("li li li").textContent()).toBe("deeper");
    expect(await text.getByRole("checkbox", { name: "Done" }).isChecked()).toBe(true);
    expect(await text.getByRole("checkbox", { name: "To do" }).isChecked()).toBe(false);
    expect(await text.locator("td.to-right").allTextContents()).toEqual(["120", "3"]);
    expect(await text.locator(".language").textContent()).toBe("typescript");
    expect(await text.locator("blockquote").textContent()).toBe("Said the keeper.");
    expect(await text.locator("s").textContent()).toBe("struck");
    expect(await text.locator(".markup").textContent()).toBe(
      '<div align="center">Raw <b>HTML</b></div>',
    );
    expect(await text.locator(".picture-name").textContent()).toBe("A lamp");
    expect(await page.locator(".prose img, .prose b").count()).toBe(0);

    await text.locator(".note-mark").click();
    await expect.poll(() => current(page).textContent()).toBe("The note itself.");
    expect(consoleErrors).toEqual([]);
  });

  test("[web.reader.source] a key shows the source with line numbers, and the address keeps this view", async () => {
    const { page, consoleErrors } = await open("/?q=quagga&open=docs/everything.md&line=32");
    await expect.poll(() => current(page).textContent()).toContain("quagga");
    expect(await current(page).textContent()).toBe('export const quagga = "lit";');

    await reader(page).press("l");

    const lines = readFileSync(join(library, "docs/everything.md"), "utf8").split("\n");
    await reader(page).locator(".line").first().waitFor();
    expect(await reader(page).locator(".line").allTextContents()).toEqual(lines);
    expect(await current(page).getAttribute("data-number")).toBe("32");
    expect(page.url()).toContain("part=source");
    await page.reload();
    await reader(page).locator(".line").first().waitFor();
    await page.getByRole("button", { name: "Source" }).click();
    await reader(page).locator(".prose").waitFor();
    expect(page.url()).not.toContain("part=source");

    await page.goto(`${server.url}/?open=docs/letters/list.txt`);
    await waitForText(page, "Zebra, and nothing else.");
    expect(await page.getByRole("button", { name: "Source" }).count()).toBe(0);
    expect(await reader(page).locator(".line").count()).toBe(2);
    expect(consoleErrors).toEqual([]);
  });

  test("[web.reader.links] links lead to headings, other documents and external pages, and back works", async () => {
    const { page, consoleErrors } = await open("/?open=docs/everything.md");
    const link = (name: string) => reader(page).getByRole("link", { name });
    await link("way to the wick").waitFor();
    const outside = link("page outside");
    expect(await outside.getAttribute("href")).toBe("https://example.org/a");
    expect(await outside.getAttribute("rel")).toContain("noreferrer");

    await link("way to the wick").click();
    await expect.poll(() => current(page).textContent()).toBe("The wick");
    await expect.poll(() => isInSight(page, "[aria-current=location]")).toBe(true);
    expect(page.url()).toContain("open=docs%2Fguide%2Flamp.md&at=the-wick");
    await page.reload();
    await expect.poll(() => isInSight(page, "[aria-current=location]")).toBe(true);

    await page.goBack();
    await link("lost heading").click();
    await waitForText(page, "has no heading “nowhere”");
    await page.getByRole("link", { name: "Go to the beginning" }).click();
    await reader(page).getByRole("link", { name: "everything", exact: true }).click();
    await link("place here").click();
    await expect.poll(() => current(page).textContent()).toBe("Tables");
    await reader(page).locator("p").getByRole("link", { name: "line", exact: true }).click();
    await expect.poll(() => current(page).textContent()).toBe("Back to everything.");
    expect(consoleErrors).toEqual([]);
  });

  test("[web.reader.wiki] a wiki link opens its document and leads back; an unknown name stays plain text", async () => {
    const folder = join(library, "docs/letters/six.md");
    writeFileSync(
      folder,
      "# Of [[one|the first]]\n\nSee [[Two|the second]], [[lamp#The wick]], [[guide/LAMP.md]], ![[three]] and [[Nobody|no one]].\n",
    );
    const { page, consoleErrors } = await open("/?open=docs/letters/six.md");
    const link = (name: string) => reader(page).getByRole("link", { name, exact: true });
    expect(await reader(page).getByRole("heading", { level: 2 }).textContent()).toBe(
      "Of the first",
    );
    await link("guide/LAMP.md").waitFor();
    expect(await reader(page).locator(".prose p").textContent()).toBe(
      "See the second, lamp#The wick, guide/LAMP.md, three and [[Nobody|no one]].",
    );
    await link("lamp#The wick").click();
    await expect.poll(() => current(page).textContent()).toBe("The wick");
    await page.goBack();
    await link("the second").click();
    await page.getByRole("region", { name: "Letter two", exact: true }).waitFor();
    const mentions = page.getByRole("region", { name: "Mentioned in 1 document" });
    await mentions.getByRole("link").click();
    await link("three").click();
    await page.getByRole("region", { name: "Letter three", exact: true }).waitFor();
    rmSync(folder);
    expect(consoleErrors).toEqual([]);
  });

  test("[web.reader.outline] the outline highlights the current heading and links to each", async () => {
    const { page, consoleErrors } = await open("/?open=docs/guide/lamp.md");
    const outline = page.getByRole("navigation", { name: "Outline" });
    const marked = outline.locator("[aria-current]");
    await outline.getByRole("link", { name: "Part 30" }).click();
    await expect.poll(() => current(page).textContent()).toBe("Part 30");
    await expect.poll(() => marked.textContent()).toBe("Part 30");

    await reader(page).evaluate((pane) => pane.scrollTo(0, pane.scrollHeight));
    await expect.poll(() => marked.textContent()).toBe("The wick");
    await reader(page).evaluate((pane) => pane.scrollTo(0, 0));
    await expect.poll(() => marked.textContent()).toMatch(/The lamp|Part 1$/);

    await page.setViewportSize({ width: 360, height: 700 });
    expect(await outline.isVisible()).toBe(false);
    await reader(page).press("o");
    await outline.getByRole("link", { name: "The wick" }).click();
    await expect.poll(() => isInSight(page, "[aria-current=location]")).toBe(true);
    expect(consoleErrors).toEqual([]);
  });

  test("[web.reader.asked] the section of the requested line is highlighted until the user scrolls", async () => {
    // The line is not at the top: some lines before it stay visible.
    const viewport = { width: 1280, height: 640 };
    const { page, consoleErrors } = await open("/?open=handbook/preservation.md&line=15", {
      viewport,
    });
    let answer = (): void => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/page/backlinks*", async (route) => {
      await isAnswered;
      await route.continue();
    });
    await page.reload();
    const marked = page.getByRole("navigation", { name: "Outline" }).locator("[aria-current]");
    await current(page).waitFor();
    await expect.poll(() => marked.textContent()).toBe("Magnetic tape");
    // The content below the text is loaded later, and extends the scroll range.
    answer();
    await waitForText(page, "Mentioned in");
    await expect.poll(() => marked.textContent()).toBe("Magnetic tape");

    await reader(page).hover();
    await page.mouse.wheel(0, -100);
    await expect.poll(() => marked.textContent()).not.toBe("Magnetic tape");
    expect(await isInSight(page, "[aria-current=location]")).toBe(true);
    await page.reload();
    await expect.poll(() => marked.textContent()).toBe("Magnetic tape");
    expect(consoleErrors).toEqual([]);
  });

  test("[web.reader.objects] a mention of a typed object links to its page", async () => {
    const { page, consoleErrors } = await open("/?open=catalogue/holdings.qmd.md");

    await reader(page).getByRole("link", { name: "agnes" }).first().click();

    await page.getByRole("heading", { name: "Referenced by" }).waitFor();
    expect(new URL(page.url()).searchParams.get("view")).toBe("objects");

    await page.goto(`${server.url}/?open=catalogue/people/readme.qmd.md`);
    const pane = page.getByRole("region", { name: "People", exact: true });
    expect(await pane.getByRole("heading", { level: 2 }).textContent()).toBe("People");
    await pane.getByRole("link", { name: "people: __Namespace" }).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test("[web.reader.lost] for a missing document, similar names are offered as links", async () => {
    const { page } = await open("/?open=docs/guide/lamb.md");
    await waitForText(page, "Did you mean one of these?");
    await reader(page).getByRole("link", { name: "docs/guide/lamp.md" }).click();
    await page.getByRole("region", { name: "The lamp", exact: true }).waitFor();
    expect(page.url()).toContain("open=docs%2Fguide%2Flamp.md");
    expect(await page.getByText("Did you mean").count()).toBe(0);
  });

  test("[web.reader.mentions] backlinks are shown below a document and follow the files", async () => {
    const { page, consoleErrors } = await open("/?open=docs/guide/lamp.md");
    const mentions = page.getByRole("region", { name: "Mentioned in" });
    await mentions.getByRole("link", { name: "Everything a page can hold" }).waitFor();
    const folder = join(library, "docs/letters/four.md");

    writeFileSync(folder, "# Letter four\n\nOf [the lamp](../guide/lamp.md).\n");
    await mentions.getByRole("link", { name: "Letter four" }).click();
    await expect.poll(() => current(page).textContent()).toBe("Of the lamp.");
    rmSync(folder);
    await waitForText(page, "Document not found");
    expect(consoleErrors.filter((message) => !message.includes("404"))).toEqual([]);
  });

  test("[web.reader.across] links and backlinks work across collections, and so do mentions of an object", async () => {
    const folder = join(library, "docs/letters/five.md");
    writeFileSync(
      folder,
      "# Letter five\n\nOf [loans](../../handbook/lending.md) and nothing else.\n",
    );
    const { page, consoleErrors } = await open("/?open=handbook/lending.md");
    const mentions = page.getByRole("region", { name: "Mentioned in" });
    await mentions.getByRole("link", { name: "Letter five" }).click();
    await reader(page).getByRole("link", { name: "loans" }).click();
    await page.getByRole("region", { name: "Lending and returns" }).waitFor();
    expect(page.url()).toContain("open=handbook%2Flending.md");
    rmSync(folder);

    await page.goto(`${server.url}/?open=catalogue/people/readme.qmd.md`);
    await mentions.getByText("Refers to ").first().waitFor();
    await mentions.getByText("catalogue/holdings.qmd.md").waitFor();
    expect(await mentions.getByRole("listitem").count()).toBe(1);
    expect(consoleErrors).toEqual([]);
  });

  test("[core.web.long] a long text opens at its line, can be searched, and is printed completely", async () => {
    const { page, consoleErrors } = await open("/?q=okapi");

    await page.locator(".result a").click();

    await expect.poll(() => current(page).textContent()).toBe("Here the okapi sleeps.");
    await expect.poll(() => isInSight(page, "[aria-current=location]")).toBe(true);
    const raw = page.locator(".sheet.raw");
    expect(await raw.count()).toBeGreaterThan(50);
    // The browser also finds text that was never rendered, and it is rendered when scrolled to.
    expect(await raw.filter({ hasText: "## Chapter 100" }).count()).toBeGreaterThan(0);
    await reader(page).evaluate((pane) => pane.scrollTo(0, pane.scrollHeight / 2));
    await expect
      .poll(() =>
        page.evaluate(`(() => {
            const pane = document.querySelector(".reader").getBoundingClientRect();
            const middle = document.elementFromPoint(pane.left + 200, pane.top + 400);
            return middle?.closest(".sheet")?.classList.contains("raw");
          })()`),
      )
      .toBe(false);
    await page.pdf({ pageRanges: "1" });
    expect(await raw.count()).toBe(0);

    await page.goto(`${server.url}/?open=docs/book.md&line=999999&part=source`);
    await waitForText(page, "The document ends before line 999999");
    await page.getByRole("link", { name: "Go to the beginning" }).click();
    await page.locator(".reader [data-number='1']").waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test("[web.reader.live] the scroll position is kept when the open document changes", async () => {
    const { page } = await open("/?open=docs/guide/lamp.md&at=the-wick");
    await expect.poll(() => isInSight(page, "[aria-current=location]")).toBe(true);
    await reader(page).evaluate((pane) => pane.scrollBy(0, 400));
    const before = await reader(page).evaluate((pane) => pane.scrollTop);

    appendFileSync(join(library, "docs/guide/lamp.md"), "\n\nSince March it is dark.\n");

    await reader(page).getByText("Changed on disk").waitFor();
    await reader(page).getByText("Since March it is dark.").waitFor({ state: "attached" });
    expect(await reader(page).evaluate((pane) => pane.scrollTop)).toBeCloseTo(before, -2);
  });

  test("[web.reader.narrow] everything fits 360 pixels and paper, and axe finds no issues", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1280, 360]) {
        const { page } = await open("/?open=docs/everything.md&line=32", {
          colorScheme,
          viewport: { width, height: 700 },
        });
        for (const part of ["", "&part=source"]) {
          await page.goto(`${server.url}/?open=docs/everything.md&line=32${part}`);
          await current(page).waitFor();
          expect(await accessibilityIssues(page), `${colorScheme} ${width} ${part}`).toEqual([]);
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        }
        await page.context().close();
      }
    }
    const { page } = await open("/?q=lamp&open=docs/everything.md");
    await reader(page).locator(".prose").waitFor();
    await page.emulateMedia({ media: "print" });
    expect(
      await page.locator(".masthead, .list, .tools, .outline").filter({ visible: true }).count(),
    ).toBe(0);
    expect(await reader(page).getByText("The note itself.").isVisible()).toBe(true);
  });
});
