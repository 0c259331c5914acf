import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, visit, waitForText } from "../browser.ts";
import { type CodingSetup, openCodingSetup, pressKeysIn, times } from "./coding-page.ts";

describe.runIf(chromiumPath)("changing codings in a browser", () => {
  let setup: CodingSetup;

  beforeAll(async () => {
    setup = await openCodingSetup();
  });
  afterAll(() => setup?.close());

  const codedPassages = async () => {
    const found = await setup.agent("list_segments_for_source", { source_id: 1 });
    return (found as { selected_text: string; code_id: number }[]).map(
      ({ selected_text, code_id }) => `${code_id} ${selected_text}`,
    );
  };

  test("[web.coding.recent] a digit applies a recent code, and a key selects the sentence", async () => {
    const { page, consoleErrors } = await visit(setup.browser, `${setup.server.url}/?view=coding`);
    await waitForText(page, "I hoped.");
    await page.keyboard.press("1");
    await waitForText(page, "Select some text first");
    await pressKeysIn(page, "Ana", ...times(4, "ArrowRight"), "s");
    expect(await page.evaluate("getSelection().toString()")).toBe("😀 I doubted, too.");
    await page.keyboard.press("2");
    await waitForText(page, "Coded with Waiting.");
    expect(await codedPassages()).toEqual(["1 hoped", "2 😀 I doubted, too."]);
    await page.getByRole("button", { name: "1 Waiting" }).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test("[web.coding.borders] Alt and arrow keys move the boundaries of a coding, and the focus stays on it", async () => {
    const { page } = await visit(setup.browser, `${setup.server.url}/?view=coding`);
    await waitForText(page, "I hoped.");
    await pressKeysIn(page, "Ana", "n");
    for (const [keys, quote, focused] of [
      ["Alt+ArrowRight", "hoped. 😀 I", "hoped. "],
      ["Alt+Shift+ArrowLeft", "I hoped. 😀 I", "I hoped. "],
      ["Alt+ArrowLeft", "I hoped", "I hoped"],
      ["Alt+Shift+ArrowRight", "hoped", "hoped"],
    ] as const) {
      await page.keyboard.press(keys);
      await waitForText(page, `Hope: “${quote}”`);
      await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe(focused);
    }
    expect((await codedPassages())[0]).toBe("1 hoped");
    for (const key of times(3, "Alt+ArrowRight")) await page.keyboard.press(key);
    await waitForText(page, "Hope: “hoped. 😀 I doubted, too”");
    await setup.person("undo_last", { steps: 3 });
    expect((await codedPassages())[0]).toBe("1 hoped");
  });

  test("[web.coding.borders] no move is lost when the codings change while it is saved", async () => {
    const { page } = await visit(setup.browser, `${setup.server.url}/?view=coding`);
    const [answers, requests] = [createGate(), createGate()];
    let count = 0;
    await page.route("**/page/change_coding", async (route) => {
      // The first move is saved, and its answer arrives late; the second one is saved late.
      if (count++ > 0) await requests.opened;
      const response = await route.fetch();
      if (count === 1) await answers.opened;
      await route.fulfill({ response });
    });
    await page.reload();
    await waitForText(page, "I hoped.");
    await pressKeysIn(page, "Ana", "n", "Alt+ArrowRight");
    await page.getByRole("button", { name: "hoped. ", exact: true }).waitFor();
    answers.open();
    await waitForText(page, "Hope: “hoped. 😀 I”");
    await page.keyboard.press("Alt+ArrowRight");
    const passage = { code_id: 1, source_id: 1, quote: "too" };
    await setup.agent("batch_apply_codes", { operations: [passage] });
    await page.getByRole("button", { name: "too", exact: true }).waitFor();
    await page.keyboard.press("Alt+ArrowRight");
    requests.open();
    await waitForText(page, "Hope: “hoped. 😀 I doubted, too”");
    await setup.person("undo_last", { steps: 4 });
    expect(await codedPassages()).toEqual(["1 hoped", "2 😀 I doubted, too."]);
  });

  test("[web.coding.erase] part of a coding is erased, and one undo restores it", async () => {
    const { page } = await visit(setup.browser, `${setup.server.url}/?view=coding`);
    await waitForText(page, "I hoped.");
    await pressKeysIn(page, "Ana", ...times(3, "ArrowRight"), "x");
    await waitForText(page, "Erased part of Waiting.");
    expect(await codedPassages()).toEqual(["1 hoped", "2 😀", "2 doubted, too."]);
    await page.keyboard.press("u");
    await waitForText(page, "Undone.");
    expect(await codedPassages()).toEqual(["1 hoped", "2 😀 I doubted, too."]);
  });

  test("[web.coding.erase] if several codings match, a person selects one", async () => {
    await setup.agent("batch_apply_codes", {
      operations: [{ code_id: 1, source_id: 1, quote: "doubted, too" }],
    });
    const { page } = await visit(setup.browser, `${setup.server.url}/?view=coding`);
    await page.getByRole("button", { name: "doubted, too", exact: true }).waitFor();
    await pressKeysIn(page, "Ana", ...times(4, "ArrowRight"), "x");
    const erase = page.getByRole("button", { name: "Erase selection from Hope" });
    await erase.press("Enter");
    await waitForText(page, "Erased part of Hope.");
    expect(await codedPassages()).toEqual(["1 hoped", "2 😀 I doubted, too.", "1 , too"]);
    await setup.person("undo_last");
  });

  test("[web.coding.notes] memo and importance of a coding are edited in the text view", async () => {
    const { page } = await visit(setup.browser, `${setup.server.url}/?view=coding`);
    await page.getByRole("button", { name: "hoped", exact: true }).first().press("Enter");
    await page.getByRole("textbox", { name: "Memo of Hope" }).fill("Said at once");
    await page.keyboard.press("Tab");
    await waitForText(page, "Saved for Hope.");
    await page.getByRole("combobox", { name: "Importance of Hope" }).selectOption("3");
    await expect
      .poll(() => setup.agent("list_segments_for_source", { source_id: 1 }))
      .toMatchObject([{ memo: "Said at once", importance: 3 }, {}, {}]);
  });

  test("[web.coding.one-step] a new name becomes a code in one step, and one undo removes both", async () => {
    const { page } = await visit(setup.browser, `${setup.server.url}/?view=coding&of=2`);
    await waitForText(page, "I waited.");
    await pressKeysIn(page, "David", ...times(5, "ArrowRight"), "c");
    await page.keyboard.type("Patience");
    await page.keyboard.press("Enter");
    await waitForText(page, "Coded with Patience.");
    await page.keyboard.press("u");
    await waitForText(page, "Undone.");
    expect(await setup.agent("list_codes")).toHaveLength(2);
  });

  test("[web.coding.coders] coders, agents included, are distinguished by lane, pattern and name", async () => {
    const { page } = await visit(setup.browser, `${setup.server.url}/?view=coding`);
    const coders = page.getByRole("list", { name: "Coders" });
    await coders.getByText("default (you)").waitFor();
    await coders.getByText("AI Agent (agent)").waitFor();
    const bars = page.locator(".bar");
    await bars.first().waitFor();
    expect(await page.evaluate(barStyles)).toEqual({
      "AI Agent (agent)": "repeating-linear-gradient in lane 1",
      "default (you)": "linear-gradient in lane 0",
    });
    await bars.first().click();
    await page.getByRole("dialog", { name: "Coded here" }).waitFor();
  });
});

/** A gate: `opened` resolves when `open` is called. */
function createGate(): { opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** The pattern and lane of each bar in the margin, by coder. */
const barStyles = `Object.fromEntries([...document.querySelectorAll(".bar")].map((bar) => {
  const look = getComputedStyle(bar);
  const pattern = look.backgroundImage.split("(")[0];
  return [bar.title.split(", ")[1], pattern + " in lane " + look.getPropertyValue("--lane")];
}))`;
