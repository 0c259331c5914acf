import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, seen, visit } from "./browser.ts";
import { type CodingHouse, openCodingHouse } from "./coding-page.ts";

describe.runIf(chromiumPath)("the codebook in a browser", () => {
  let house: CodingHouse;

  beforeAll(async () => {
    house = await openCodingHouse();
  });
  afterAll(() => house?.close());

  const open = async (): Promise<Page> => {
    const { page } = await visit(house.browser, `${house.served.url}/?view=coding`);
    await inCodebook(page, "Hope").waitFor();
    return page;
  };

  test("[web.codebook.change] a category is made and a code moved, renamed, recoloured and noted, by keyboard alone", async () => {
    const page = await open();
    await page.getByRole("button", { name: "New category" }).press("Enter");
    await page.getByRole("textbox", { name: "Name" }).fill("Feelings");
    await page.keyboard.press("Enter");
    await seen(page, "Kept Feelings.");

    await inCodebook(page, "Feelings").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const sheet = page.getByRole("dialog", { name: "Code Hope" });
    await sheet.getByRole("textbox", { name: "Name" }).fill("Hoping");
    await sheet.locator("input[type=color]").fill("#ffff00");
    await seen(page, "Too faint on light: it is shown darker there.");
    await sheet.getByRole("radio", { name: "Colour 1" }).focus();
    await page.keyboard.press("Space");
    await seen(page, "Seen well on light and on dark.");
    await sheet.getByRole("textbox", { name: "Memo" }).fill("What holds up");
    await sheet.getByRole("combobox", { name: "Move to category" }).selectOption("Feelings");
    await sheet.getByRole("button", { name: "Save" }).press("Enter");
    await seen(page, "Kept Hoping.");
    expect(await house.agent("get_code", { code_id: 1 })).toMatchObject({
      name: "Hoping",
      color: "#0072B2",
      memo: "What holds up",
      category_id: 1,
    });
    await house.person("update_code", { code_id: 1, name: "Hope", category_id: null });
    await inCodebook(page, "Hope").waitFor();
  });

  test("[web.codebook.drag] a code is dragged into a category, and out of it", async () => {
    const page = await open();
    await inCodebook(page, "Waiting").dragTo(inCodebook(page, "Feelings"));
    await expect
      .poll(() => house.agent("get_code", { code_id: 2 }))
      .toMatchObject({ category_id: 1 });
    await page.locator(".codebook li li", { hasText: "Waiting" }).waitFor();
    await inCodebook(page, "Waiting").hover();
    await page.mouse.down();
    await moveTo(page, inCodebook(page, "Hope"));
    const outside = page.getByText("Out of every category");
    await outside.waitFor();
    await moveTo(page, outside);
    await page.mouse.up();
    await expect
      .poll(() => house.agent("get_code", { code_id: 2 }))
      .toMatchObject({ category_id: null });
  });

  test("[web.codebook.split] passages that are ticked go to the new code, as was shown", async () => {
    await house.person("batch_apply_codes", {
      operations: [
        { code_id: 1, source_id: 1, quote: "hoped again" },
        { code_id: 1, source_id: 2, quote: "I waited" },
      ],
    });
    const page = await open();
    await inCodebook(page, "Hope").press("Enter");
    await page.locator("summary", { hasText: "Split" }).press("Enter");
    await page.getByRole("textbox", { name: "Name of the new code" }).fill("Lasting hope");
    await page.getByRole("checkbox", { name: "hoped again Ana" }).press("Space");
    await seen(page, "1 of 3 passages go to “Lasting hope”; the others stay.");
    await page.getByRole("button", { name: "Split" }).press("Enter");
    await seen(page, "Split Hope.");
    await inCodebook(page, "Lasting hope").waitFor();
    expect(await house.agent("list_codes")).toMatchObject([
      { name: "Hope", segment_count: 2 },
      { name: "Lasting hope", segment_count: 1 },
      { name: "Waiting" },
    ]);
  });

  test("[web.codebook.merge] a merge shows what moves, and is refused when that has changed", async () => {
    const page = await open();
    await inCodebook(page, "Lasting hope").press("Enter");
    await page.locator("summary", { hasText: "Merge" }).press("Enter");
    await page.getByRole("combobox", { name: "Into" }).selectOption("Hope");
    await seen(page, "1 coded segment(s) of 'Lasting hope' to 'Hope'");
    await house.agent("batch_apply_codes", {
      operations: [{ code_id: 3, source_id: 2, quote: "Nobody" }],
    });
    await page.getByRole("button", { name: "Merge" }).press("Enter");
    await seen(page, "This is not what the preview showed any more.");
    await seen(page, "2 coded segment(s) of 'Lasting hope' to 'Hope'");
    await page.getByRole("button", { name: "Merge" }).press("Enter");
    await seen(page, "Merged Lasting hope.");
    expect(await house.agent("list_codes")).toHaveLength(2);
  });

  test("[web.codebook.delete] deleting tells what goes, and undo brings it back", async () => {
    const page = await open();
    await inCodebook(page, "Hope").press("Enter");
    await page.locator("summary", { hasText: "Delete" }).press("Enter");
    await seen(page, "This will delete code 'Hope' and 4 coded segment(s)");
    await page.getByRole("button", { name: "Delete Hope" }).press("Enter");
    await seen(page, "Deleted Hope.");
    expect(await house.agent("list_codes")).toHaveLength(1);
    await page.keyboard.press("u");
    await inCodebook(page, "Hope").waitFor();
  });

  test("[web.codebook.delete-category] a category tells what stays before it goes, and goes only as it was told", async () => {
    const { category_id } = await house.person("save_category", { name: "Moods" });
    const page = await open();
    await inCodebook(page, "Moods").press("Enter");
    await page.locator("summary", { hasText: "Delete" }).press("Enter");
    await seen(page, "This will delete category 'Moods'; its 0 code(s) stay");
    await house.person("update_code", { code_id: 2, category_id });
    await page.getByRole("button", { name: "Delete Moods" }).press("Enter");
    await seen(page, "This is not what the preview showed any more.");
    await seen(page, "its 1 code(s) stay");
    await page.getByRole("button", { name: "Delete Moods" }).press("Enter");
    await seen(page, "Deleted Moods.");
    await inCodebook(page, "Waiting").waitFor();
    await inCodebook(page, "Moods").waitFor({ state: "detached" });
  });

  test("[web.codebook.live] what an agent adds to the codebook is there at once", async () => {
    const page = await open();
    await house.agent("create_code", { name: "Patience", color: "#123456" });
    await inCodebook(page, "Patience").waitFor();
  });

  test("[web.codebook.gone] the window of what another page deletes closes and says so, and stays closed", async () => {
    const { code_id } = await house.person("create_code", { name: "Doubt", color: "#123456" });
    const page = await open();
    await inCodebook(page, "Doubt").press("Enter");
    const window = page.getByRole("dialog", { name: "Code Doubt" });
    await window.getByRole("textbox", { name: "Memo" }).fill("Half a sentence");
    await house.person("delete_code", { code_id, confirm: true, delete_segments: true });
    await window.waitFor({ state: "detached" });
    await seen(page, "It was deleted meanwhile.");
    await house.person("undo_last");
    await inCodebook(page, "Doubt").waitFor();
    expect(await window.count()).toBe(0);
  });
});

async function moveTo(page: Page, target: Locator): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error("It is not to be seen.");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 });
}

const inCodebook = (page: Page, name: string) =>
  page.getByRole("region", { name: "Codes" }).getByRole("button", { name, exact: true });
