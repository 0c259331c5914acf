import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, visit, waitForText } from "../browser.ts";
import { type CodingSetup, openCodingSetup } from "./coding-page.ts";

describe.runIf(chromiumPath)("the codebook in a browser", () => {
  let setup: CodingSetup;

  beforeAll(async () => {
    setup = await openCodingSetup();
  });
  afterAll(() => setup?.close());

  const open = async (): Promise<Page> => {
    const { page } = await visit(setup.browser, `${setup.server.url}/?view=coding`);
    await inCodebook(page, "Hope").waitFor();
    return page;
  };

  test("[web.codebook.change] a category is created, and a code is moved, renamed, recolored and given a memo, by keyboard", async () => {
    const page = await open();
    await page.getByRole("button", { name: "New category" }).press("Enter");
    await page.getByRole("textbox", { name: "Name" }).fill("Feelings");
    await page.keyboard.press("Enter");
    await waitForText(page, "Saved Feelings.");

    await inCodebook(page, "Feelings").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const sheet = page.getByRole("dialog", { name: "Code Hope" });
    await sheet.getByRole("textbox", { name: "Name" }).fill("Hoping");
    await sheet.locator("input[type=color]").fill("#ffff00");
    await waitForText(page, "Too faint in the light theme: shown darker there.");
    await sheet.getByRole("radio", { name: "Colour 1" }).focus();
    await page.keyboard.press("Space");
    await waitForText(page, "Visible in the light and the dark theme.");
    await sheet.getByRole("textbox", { name: "Memo" }).fill("What holds up");
    await sheet.getByRole("combobox", { name: "Move to category" }).selectOption("Feelings");
    await sheet.getByRole("button", { name: "Save" }).press("Enter");
    await waitForText(page, "Saved Hoping.");
    expect(await setup.agent("get_code", { code_id: 1 })).toMatchObject({
      name: "Hoping",
      color: "#0072B2",
      memo: "What holds up",
      category_id: 1,
    });
    await setup.person("update_code", { code_id: 1, name: "Hope", category_id: null });
    await inCodebook(page, "Hope").waitFor();
  });

  test("[web.codebook.drag] a code is dragged into a category and out of it", async () => {
    const page = await open();
    await inCodebook(page, "Waiting").dragTo(inCodebook(page, "Feelings"));
    await expect
      .poll(() => setup.agent("get_code", { code_id: 2 }))
      .toMatchObject({ category_id: 1 });
    await page.locator(".codebook li li", { hasText: "Waiting" }).waitFor();
    await inCodebook(page, "Waiting").hover();
    await page.mouse.down();
    await moveTo(page, inCodebook(page, "Hope"));
    const outside = page.getByText("Top level");
    await outside.waitFor();
    await moveTo(page, outside);
    await page.mouse.up();
    await expect
      .poll(() => setup.agent("get_code", { code_id: 2 }))
      .toMatchObject({ category_id: null });
  });

  test("[web.codebook.split] the selected passages move to the new code, as shown", async () => {
    await setup.person("batch_apply_codes", {
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
    await waitForText(page, "1 of 3 passages move to “Lasting hope”.");
    await page.getByRole("button", { name: "Split" }).press("Enter");
    await waitForText(page, "Split Hope.");
    await inCodebook(page, "Lasting hope").waitFor();
    expect(await setup.agent("list_codes")).toMatchObject([
      { name: "Hope", segment_count: 2 },
      { name: "Lasting hope", segment_count: 1 },
      { name: "Waiting" },
    ]);
  });

  test("[web.codebook.merge] a merge shows what moves, and is refused if that has changed", async () => {
    const page = await open();
    await inCodebook(page, "Lasting hope").press("Enter");
    await page.locator("summary", { hasText: "Merge" }).press("Enter");
    await page.getByRole("combobox", { name: "Into" }).selectOption("Hope");
    await waitForText(page, "1 coded segment(s) of 'Lasting hope' to 'Hope'");
    await setup.agent("batch_apply_codes", {
      operations: [{ code_id: 3, source_id: 2, quote: "Nobody" }],
    });
    await page.getByRole("button", { name: "Merge" }).press("Enter");
    await waitForText(page, "The preview is out of date.");
    await waitForText(page, "2 coded segment(s) of 'Lasting hope' to 'Hope'");
    await page.getByRole("button", { name: "Merge" }).press("Enter");
    await waitForText(page, "Merged Lasting hope.");
    expect(await setup.agent("list_codes")).toHaveLength(2);
  });

  test("[web.codebook.delete] deleting shows what is deleted, and undo restores it", async () => {
    const page = await open();
    await inCodebook(page, "Hope").press("Enter");
    await page.locator("summary", { hasText: "Delete" }).press("Enter");
    await waitForText(page, "This will delete code 'Hope' and 4 coded segment(s)");
    await page.getByRole("button", { name: "Delete Hope" }).press("Enter");
    await waitForText(page, "Deleted Hope.");
    expect(await setup.agent("list_codes")).toHaveLength(1);
    await inCodebook(page, "Hope").waitFor({ state: "detached" });
    await page.keyboard.press("u");
    await inCodebook(page, "Hope").waitFor();
  });

  test("[web.codebook.delete-category] deleting a category shows what remains, and does exactly what was shown", async () => {
    const { category_id } = await setup.person("save_category", { name: "Moods" });
    const page = await open();
    await inCodebook(page, "Moods").press("Enter");
    await page.locator("summary", { hasText: "Delete" }).press("Enter");
    await waitForText(page, "This will delete category 'Moods'; its 0 code(s) stay");
    await setup.person("update_code", { code_id: 2, category_id });
    await page.getByRole("button", { name: "Delete Moods" }).press("Enter");
    await waitForText(page, "The preview is out of date.");
    await waitForText(page, "its 1 code(s) stay");
    await page.getByRole("button", { name: "Delete Moods" }).press("Enter");
    await waitForText(page, "Deleted Moods.");
    await inCodebook(page, "Waiting").waitFor();
    await inCodebook(page, "Moods").waitFor({ state: "detached" });
  });

  test("[web.codebook.live] codebook changes by an agent appear immediately", async () => {
    const page = await open();
    await setup.agent("create_code", { name: "Patience", color: "#123456" });
    await inCodebook(page, "Patience").waitFor();
  });

  test("[web.codebook.gone] a dialog about a deleted code closes with a message and stays closed", async () => {
    const { code_id } = await setup.person("create_code", { name: "Doubt", color: "#123456" });
    const page = await open();
    await inCodebook(page, "Doubt").press("Enter");
    const window = page.getByRole("dialog", { name: "Code Doubt" });
    await window.getByRole("textbox", { name: "Memo" }).fill("Half a sentence");
    await setup.person("delete_code", { code_id, confirm: true, delete_segments: true });
    await window.waitFor({ state: "detached" });
    await waitForText(page, "The code was deleted.");
    await setup.person("undo_last");
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
