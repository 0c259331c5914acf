import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeDocumentationTree } from "../fixtures/documentation-tree.ts";
import { chromiumPath, seen, visit } from "./browser.ts";
import { freshHome } from "./program.ts";
import { openWholeHouse, type WholePage } from "./whole-house.ts";

describe.runIf(chromiumPath)("a repository in a browser", () => {
  let house: WholePage;

  beforeAll(async () => {
    house = await openWholeHouse();
  });
  afterAll(() => house?.close());

  const at = (part: string): string =>
    `${house.url}/?view=repository&of=${encodeURIComponent(house.repository)}&part=${part}`;

  test("[web.repository.analysis] a repository is chosen by keyboard, and its languages, packages and kinds of pages are seen", async () => {
    const { page, complaints } = await visit(house.browser, `${house.url}/?view=repository`);
    await seen(page, "Which repository?");
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
    expect(complaints).toEqual([]);
  });

  test("[web.repository.findings] gaps, broken links and old pages lead to the line in the reader", async () => {
    const { page, complaints } = await visit(house.browser, at("gaps"));
    const gap = page.getByRole("row", { name: /^Keeper / });
    await gap.getByRole("link", { name: "src/keeper.ts:2" }).click();
    await page.locator(".reader [aria-current=location]").waitFor();
    expect(page.url()).toContain("open=lamps%2Fsrc%2Fkeeper.ts&line=2");

    await page.goto(at("links"));
    await seen(page, "2 broken");
    await page.getByRole("link", { name: "docs/how-to/trim-a-wick.md:5" }).waitFor();
    await page.goto(at("freshness"));
    await page.getByRole("row", { name: /why-oil\.md/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("[web.repository.drift] what pages say wrongly of the code is seen, written by a person on a second press and taken back", async () => {
    const file = join(house.repository, "docs/how-to/trim-a-wick.md");
    const before = readFileSync(file, "utf8");
    const { page, complaints } = await visit(house.browser, at("drift"));
    await seen(page, "2 symbols changed");
    await seen(page, "has another name");
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
    await seen(page, "Nothing was written: files have changed");
    await seen(page, "in a storm");
    expect(readFileSync(file, "utf8")).toContain("trimWick(14)");
    writeFileSync(file, before);
    await page.getByRole("button", { name: "Look again" }).press("Enter");
    await page.getByText("in a storm").first().waitFor({ state: "detached" });
    await write.press("Enter");
    await page.getByRole("button", { name: "Write now" }).press("Enter");
    await seen(page, "It can be taken back under Review.");
    expect(readFileSync(file, "utf8")).toContain("cutWick(14)");
    await page.goto(`${house.url}/?view=review`);
    await page.getByRole("button", { name: /^Undo/ }).first().press("Enter");
    await seen(page, "Taken back:");
    expect(readFileSync(file, "utf8")).toBe(before);

    await page.goto(at("drift"));
    await page.getByRole("button", { name: "The pages are right as they are" }).press("Enter");
    await seen(page, "The pages agree with the code.");
    appendFileSync(join(house.repository, "src/keeper.ts"), "export const night = 12;\n");
    await page.locator("body").press("l");
    await seen(page, "The pages agree with the code.");
    expect(complaints).toEqual([]);
  });

  test("[web.repository.stop] long work shows how far it is and is stopped by a key; a wrong folder says so", async () => {
    const large = freshHome();
    makeDocumentationTree(large, 2_000, 7);
    const address = `${house.url}/?view=repository&part=links&of=${encodeURIComponent(large)}`;
    const { page } = await visit(house.browser, address);
    await page.getByRole("progressbar").waitFor();
    await page.keyboard.press("x");
    await seen(page, "Stopped.");
    await page.getByRole("button", { name: "Look again" }).waitFor();

    await page.goto(`${house.url}/?view=repository&of=nowhere`);
    await seen(page, "Repository path does not exist");
  });
});
