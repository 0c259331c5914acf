import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, seen, visit } from "./browser.ts";
import { type CodingHouse, openCodingHouse, strikeIn, times } from "./coding-page.ts";

describe.runIf(chromiumPath)("changing codings in a browser", () => {
  let house: CodingHouse;

  beforeAll(async () => {
    house = await openCodingHouse();
  });
  afterAll(() => house?.close());

  const coded = async () => {
    const found = await house.agent("list_segments_for_source", { source_id: 1 });
    return (found as { selected_text: string; code_id: number }[]).map(
      ({ selected_text, code_id }) => `${code_id} ${selected_text}`,
    );
  };

  test("[web.coding.recent] a digit codes with a recent code, and a key takes the sentence", async () => {
    const { page, complaints } = await visit(house.browser, `${house.served.url}/?view=coding`);
    await seen(page, "I hoped.");
    await page.keyboard.press("1");
    await seen(page, "Select some words first");
    await strikeIn(page, "Ana", ...times(4, "ArrowRight"), "s");
    expect(await page.evaluate("getSelection().toString()")).toBe("😀 I doubted, too.");
    await page.keyboard.press("2");
    await seen(page, "Coded with Waiting.");
    expect(await coded()).toEqual(["1 hoped", "2 😀 I doubted, too."]);
    await page.getByRole("button", { name: "1 Waiting" }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("[web.coding.borders] Alt and arrows move the borders of a coding, and the focus stays on it", async () => {
    const { page } = await visit(house.browser, `${house.served.url}/?view=coding`);
    await seen(page, "I hoped.");
    await strikeIn(page, "Ana", "n");
    for (const [keys, words, focused] of [
      ["Alt+ArrowRight", "hoped. 😀 I", "hoped. "],
      ["Alt+Shift+ArrowLeft", "I hoped. 😀 I", "I hoped. "],
      ["Alt+ArrowLeft", "I hoped", "I hoped"],
      ["Alt+Shift+ArrowRight", "hoped", "hoped"],
    ] as const) {
      await page.keyboard.press(keys);
      await seen(page, `Hope: “${words}”`);
      await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe(focused);
    }
    expect((await coded())[0]).toBe("1 hoped");
    for (const key of times(3, "Alt+ArrowRight")) await page.keyboard.press(key);
    await seen(page, "Hope: “hoped. 😀 I doubted, too”");
    await house.person("undo_last", { steps: 3 });
    expect((await coded())[0]).toBe("1 hoped");
  });

  test("[web.coding.erase] a part is erased from a coding, and one undo brings it back", async () => {
    const { page } = await visit(house.browser, `${house.served.url}/?view=coding`);
    await seen(page, "I hoped.");
    await strikeIn(page, "Ana", ...times(3, "ArrowRight"), "x");
    await seen(page, "Erased a part of Waiting.");
    expect(await coded()).toEqual(["1 hoped", "2 😀", "2 doubted, too."]);
    await page.keyboard.press("u");
    await seen(page, "Undone.");
    expect(await coded()).toEqual(["1 hoped", "2 😀 I doubted, too."]);
  });

  test("[web.coding.erase] of several codings a person says which one is meant", async () => {
    await house.agent("batch_apply_codes", {
      operations: [{ code_id: 1, source_id: 1, quote: "doubted, too" }],
    });
    const { page } = await visit(house.browser, `${house.served.url}/?view=coding`);
    await page.getByRole("button", { name: "doubted, too", exact: true }).waitFor();
    await strikeIn(page, "Ana", ...times(4, "ArrowRight"), "x");
    const erase = page.getByRole("button", { name: "Erase what is selected from Hope" });
    await erase.press("Enter");
    await seen(page, "Erased a part of Hope.");
    expect(await coded()).toEqual(["1 hoped", "2 😀 I doubted, too.", "1 , too"]);
    await house.person("undo_last");
  });

  test("[web.coding.notes] memo and importance of a coding are kept where they are read", async () => {
    const { page } = await visit(house.browser, `${house.served.url}/?view=coding`);
    await page.getByRole("button", { name: "hoped", exact: true }).first().press("Enter");
    await page.getByRole("textbox", { name: "Memo of Hope" }).fill("Said at once");
    await page.keyboard.press("Tab");
    await seen(page, "Kept for Hope.");
    await page.getByRole("combobox", { name: "Importance of Hope" }).selectOption("3");
    await expect
      .poll(() => house.agent("list_segments_for_source", { source_id: 1 }))
      .toMatchObject([{ memo: "Said at once", importance: 3 }, {}, {}]);
  });

  test("[web.coding.one-step] a new name is a code at once, and one undo takes both away", async () => {
    const { page } = await visit(house.browser, `${house.served.url}/?view=coding&of=2`);
    await seen(page, "I waited.");
    await strikeIn(page, "David", ...times(5, "ArrowRight"), "c");
    await page.keyboard.type("Patience");
    await page.keyboard.press("Enter");
    await seen(page, "Coded with Patience.");
    await page.keyboard.press("u");
    await seen(page, "Undone.");
    expect(await house.agent("list_codes")).toHaveLength(2);
  });

  test("[web.coding.told-apart] who coded is told by lane, pattern and name, of agents as of people", async () => {
    const { page } = await visit(house.browser, `${house.served.url}/?view=coding`);
    const coders = page.getByRole("list", { name: "Who has coded here" });
    await coders.getByText("default (you)").waitFor();
    await coders.getByText("AI Agent (agent)").waitFor();
    const bars = page.locator(".bar");
    await bars.first().waitFor();
    expect(await page.evaluate(barsDrawn)).toEqual({
      "AI Agent (agent)": "repeating-linear-gradient in lane 1",
      "default (you)": "linear-gradient in lane 0",
    });
    await bars.first().click();
    await page.getByRole("dialog", { name: "Coded here" }).waitFor();
  });
});

/** How the bars in the margin are drawn, by whom they name. */
const barsDrawn = `Object.fromEntries([...document.querySelectorAll(".bar")].map((bar) => {
  const look = getComputedStyle(bar);
  const pattern = look.backgroundImage.split("(")[0];
  return [bar.title.split(", ")[1], pattern + " in lane " + look.getPropertyValue("--lane")];
}))`;
