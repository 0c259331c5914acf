import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeDocumentationTree } from "../../fixtures/repository/documentation-tree.ts";
import { chromiumPath, visit, waitForText } from "../browser.ts";
import { type FullHomePage, openFullHomePage } from "../full-home.ts";
import { freshHome } from "../program.ts";

describe.runIf(chromiumPath)("a repository in a browser", () => {
  let setup: FullHomePage;

  beforeAll(async () => {
    setup = await openFullHomePage();
  });
  afterAll(() => setup?.close());

  const urlOf = (part: string): string =>
    `${setup.url}/?view=repository&of=${encodeURIComponent(setup.repository)}&part=${part}`;

  test("[web.repository.analysis] a repository is chosen by keyboard, and its languages, packages and page kinds are shown", async () => {
    const { page, consoleErrors } = await visit(setup.browser, `${setup.url}/?view=repository`);
    await waitForText(page, "Choose a repository");
    await page.getByRole("link", { name: "library" }).waitFor();
    await page.getByRole("textbox", { name: "Another folder" }).focus();
    await page.keyboard.type("lamps");
    await page.keyboard.press("Enter");

    await page.getByRole("row", { name: /^TypeScript/ }).waitFor();
    await page.getByRole("row", { name: /^lamps 1.4.0/ }).waitFor();
    await page.getByRole("link", { name: "Documentation map" }).press("Enter");
    const kind = (name: string) => page.getByRole("region", { name, exact: true });
    await kind("Tutorials 1").getByRole("link", { name: "first-evening.md" }).waitFor();
    await kind("How-to guides 1").getByRole("link", { name: "trim-a-wick.md" }).press("Enter");
    await page.getByRole("region", { name: "How to trim a wick" }).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test("[web.repository.findings] gaps, broken links and old pages link to the line in the reader", async () => {
    const { page, consoleErrors } = await visit(setup.browser, urlOf("gaps"));
    const gap = page.getByRole("row", { name: /^Keeper / });
    await gap.getByRole("link", { name: "src/keeper.ts:2" }).click();
    await page.locator(".reader [aria-current=location]").waitFor();
    expect(page.url()).toContain("open=lamps%2Fsrc%2Fkeeper.ts&line=2");

    await page.goto(urlOf("links"));
    await waitForText(page, "2 broken");
    await page.getByRole("link", { name: "docs/how-to/trim-a-wick.md:5" }).waitFor();
    await page.goto(urlOf("freshness"));
    await page.getByRole("row", { name: /why-oil\.md/ }).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test("[web.repository.drift] outdated documentation is shown, and a fix is written after a second key press and undone", async () => {
    const file = join(setup.repository, "docs/how-to/trim-a-wick.md");
    const before = readFileSync(file, "utf8");
    const { page, consoleErrors } = await visit(setup.browser, urlOf("drift"));
    await waitForText(page, "2 documented symbols changed");
    await waitForText(page, "was renamed");
    await page.getByRole("link", { name: "docs/how-to/trim-a-wick.md:4" }).first().waitFor();
    expect(readFileSync(file, "utf8")).toBe(before);

    const write = page.getByRole("button", { name: "Write these changes" });
    await write.press("Enter");
    await page.getByRole("button", { name: "Write now" }).waitFor();
    await page.keyboard.press("Enter");
    expect(readFileSync(file, "utf8")).toBe(before);
    await write.press("Enter");
    appendFileSync(file, "\nNever call `trimWick` in a storm.\n");
    await page.getByRole("button", { name: "Write now" }).press("Enter");
    await waitForText(page, "Nothing was written, because files changed");
    await waitForText(page, "in a storm");
    expect(readFileSync(file, "utf8")).toContain("trimWick(14)");
    writeFileSync(file, before);
    await page.getByRole("button", { name: "Refresh" }).press("Enter");
    await page.getByText("in a storm").first().waitFor({ state: "detached" });
    await write.press("Enter");
    await page.getByRole("button", { name: "Write now" }).press("Enter");
    await waitForText(page, "You can undo it under Review.");
    expect(readFileSync(file, "utf8")).toContain("cutWick(14)");
    await page.goto(`${setup.url}/?view=review`);
    await page.getByRole("button", { name: /^Undo/ }).first().press("Enter");
    await waitForText(page, "Undone:");
    expect(readFileSync(file, "utf8")).toBe(before);

    await page.goto(urlOf("drift"));
    await page.getByRole("button", { name: "Accept the pages as they are" }).press("Enter");
    await waitForText(page, "The pages match the code.");
    appendFileSync(join(setup.repository, "src/keeper.ts"), "export const night = 12;\n");
    await page.locator("body").press("l");
    await waitForText(page, "The pages match the code.");
    expect(consoleErrors).toEqual([]);
  });

  test("[web.repository.stop] a long task shows progress and is stopped by a key; a wrong folder is reported", async () => {
    const large = freshHome();
    makeDocumentationTree(large, 2_000, 7);
    const address = `${setup.url}/?view=repository&part=links&of=${encodeURIComponent(large)}`;
    const { page } = await visit(setup.browser, address);
    await page.getByRole("progressbar").waitFor();
    await page.keyboard.press("x");
    await waitForText(page, "Stopped.");
    await page.getByRole("button", { name: "Refresh" }).waitFor();

    await page.goto(`${setup.url}/?view=repository&of=nowhere`);
    await waitForText(page, "Repository path does not exist");
  });
});
