import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityIssues, chromiumPath, openBrowser, visit, waitForText } from "../browser.ts";
import { freshHome, runProgram, type Served, sample, startServer } from "../program.ts";

if (!chromiumPath) {
  test("NOT RUN: the browser journey, because no Chromium is installed", () => {
    process.stderr.write(
      "\nThe browser journey was NOT RUN: no Chromium is installed. Install one, or name it in CHROMIUM_PATH.\n",
    );
  });
}

describe.runIf(chromiumPath)("the page in a browser", () => {
  let browser: Browser;
  let server: Served;
  let library: string;

  beforeAll(async () => {
    const home = freshHome();
    library = join(home, "library");
    cpSync(sample, library, { recursive: true });
    for (const name of ["handbook", "notes"]) {
      const added = await runProgram(["collection", "add", join(library, name)], { home });
      expect(added).toMatchObject({ code: 0 });
    }
    [server, browser] = await Promise.all([startServer(home), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("[core.web.live] results and the open document follow the files on disk", async () => {
    const { page, consoleErrors } = await visit(browser, `${server.url}/?q=foghorn`);
    await waitForText(page, "Nothing found");
    const file = join(library, "notes/horn.md");

    writeFileSync(file, "# The foghorn\n\nIt sounds every thirty seconds.\n");
    await page.getByRole("link", { name: "The foghorn" }).click();
    const reader = page.getByRole("region", { name: "The foghorn" });
    await waitForText(page, "every thirty seconds");

    appendFileSync(file, "\nSince March it is silent.\n");
    await reader.getByText("Since March it is silent.").waitFor();
    await reader.getByText("Changed on disk").waitFor();

    rmSync(file);
    await waitForText(page, "Nothing found");
    await waitForText(page, "Document not found: notes/horn.md");
    expect(consoleErrors.filter((message) => !message.includes("404"))).toEqual([]);
  });

  test("[core.web.first-step] an empty library shows what to do, and fills afterwards", async () => {
    const home = freshHome();
    const empty = await startServer(home);
    try {
      const { page, consoleErrors } = await visit(browser, empty.url);
      await waitForText(page, "lectern collection add");
      expect(await accessibilityIssues(page)).toEqual([]);

      const folder = join(home, "papers");
      mkdirSync(folder);
      writeFileSync(join(folder, "one.md"), "# One\n");
      expect(await runProgram(["collection", "add", folder], { home })).toMatchObject({ code: 0 });

      await waitForText(page, "1 document in 1 collection");
      expect(consoleErrors).toEqual([]);
    } finally {
      await empty.stop();
    }
  });

  test("[core.web.keys] all functions can be used with the keyboard", async () => {
    const { page } = await visit(browser, server.url);
    const focused = page.locator(":focus");
    const press = (...keys: string[]) => sequentially(keys, (key) => page.keyboard.press(key));
    await waitForText(page, "in 2 collections");

    await press("Tab", "/");
    expect(await focused.getAttribute("id")).toBe("search");
    await page.keyboard.type("tape");
    await waitForText(page, "2 results");
    const titles = await page.locator(".result a").allTextContents();

    await press("ArrowDown", "j");
    expect(await focused.textContent()).toBe(titles[1]);
    await press("k");
    expect(await focused.textContent()).toBe(titles[0]);
    await press("ArrowDown", "Enter");
    await page.getByRole("region", { name: titles[1] ?? "" }).waitFor();
    await expect.poll(() => focused.getAttribute("class")).toBe("reader");

    await press("Escape");
    await expect.poll(() => focused.textContent()).toBe(titles[1]);
    await press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await focused.textContent()).toBe(titles[1]);

    await press("Escape");
    await page.keyboard.type("sticky");
    await press("Enter");
    await page.getByRole("region", { name: "Preserving paper and tape" }).waitFor();
  });

  test("[core.web.character-keys] single-key shortcuts can be turned off, and stay off", async () => {
    const { page } = await visit(browser, `${server.url}/?q=tape`);
    await waitForText(page, "2 results");

    await page.getByRole("button", { name: "Shortcuts" }).click();
    await page.getByRole("checkbox", { name: "Single-key" }).uncheck();
    await page.getByRole("button", { name: "Close" }).click();
    await page.reload();
    await waitForText(page, "2 results");
    await page.keyboard.press("Tab");
    await page.keyboard.press("/");

    expect(await page.locator("#search:focus").count()).toBe(0);
  });

  test("[core.web.lost] the page reports a lost server and recovers with it", async () => {
    const home = freshHome();
    const before = await startServer(home);
    const { page } = await visit(browser, before.url);
    await waitForText(page, "lectern collection add");

    await before.stop();
    await waitForText(page, "The server does not answer");
    const after = await startServer(home, ["--port", new URL(before.url).port]);
    try {
      await page.getByText("The server does not answer").waitFor({ state: "hidden" });
    } finally {
      await after.stop();
    }
  });
});

async function sequentially<Item>(items: readonly Item[], act: (item: Item) => Promise<void>) {
  for (const item of items) await act(item);
}
