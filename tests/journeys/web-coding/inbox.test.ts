import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityIssues, chromiumPath, visit, waitForText } from "../browser.ts";
import { type CodingSetup, openCodingSetup, pressKeysIn, times } from "./coding-page.ts";

describe.runIf(chromiumPath)("the inbox in a browser", () => {
  let setup: CodingSetup;

  beforeAll(async () => {
    setup = await openCodingSetup();
    await setup.person("batch_apply_codes", {
      operations: [
        { code_id: 2, source_id: 1, quote: "Then I hoped again" },
        { code_id: 2, source_id: 2, quote: "asked me" },
      ],
    });
  });
  afterAll(() => setup?.close());

  const inbox = () => setup.person("list_inbox");

  test("[web.inbox.settle] passages that lost their location are accepted, placed manually or dismissed, by keyboard", async () => {
    const { page, consoleErrors } = await visit(
      setup.browser,
      `${setup.server.url}/?view=coding&of=inbox`,
    );
    await waitForText(page, "The inbox is empty.");
    await setup.person("edit_source_text", {
      source_id: 1,
      content: "We spoke of other things.\r\nAnd after that she was hoping once more.",
    });
    await setup.person("edit_source_text", { source_id: 2, content: "Silence. They waited." });
    await waitForText(page, "1 of 3");
    await waitForText(page, "hoped");
    expect(await accessibilityIssues(page)).toEqual([]);

    await page.keyboard.press("d");
    await waitForText(page, "Discarded. Undo restores it.");
    await page.keyboard.press("u");
    await waitForText(page, "Undone.");
    await waitForText(page, "of 3");

    await page.keyboard.press("e");
    await waitForText(page, "belong? Select the text.");
    await pressKeysIn(page, "Ana", ...times(4, "ArrowRight"), "h");
    await waitForText(page, "Placed.");
    await waitForText(page, "of 2");
    expect(await setup.agent("list_segments_for_source", { source_id: 1 })).toMatchObject([
      { selected_text: "other", owner: "AI Agent" },
    ]);

    await page.keyboard.press("j");
    await waitForText(page, "2 of 2");
    await page.keyboard.press("k");
    await waitForText(page, "1 of 2");
    await page.keyboard.press("d");
    await waitForText(page, "1 of 1");
    await page.keyboard.press("d");
    await waitForText(page, "The inbox is empty.");
    expect(await inbox()).toMatchObject({ total: 0 });
    expect(consoleErrors).toEqual([]);
  });

  test("[web.inbox.propose] a proposed location is shown before and after, and accepted with one key", async () => {
    const text =
      "The keeper said that the lamp was lit at dusk. Nobody had asked him to. The night was long.";
    await setup.person("add_text_source", { name: "Keeper", content: text });
    await setup.person("batch_apply_codes", {
      operations: [{ code_id: 1, source_id: 3, quote: "the lamp was lit at dusk" }],
    });
    const { page } = await visit(setup.browser, `${setup.server.url}/?view=coding&of=inbox`);
    const after =
      "The keeper told us the lantern had been lit, at dusk. Nobody asked him. The night was long.";
    await setup.person("edit_source_text", { source_id: 3, content: after });
    const { items } = (await inbox()) as { items: { start_position?: number }[] };
    expect(items).toHaveLength(1);
    expect(items[0]).toHaveProperty("start_position");
    await waitForText(page, "% likely");
    await waitForText(page, "the lamp was lit at dusk");
    await page.locator("mark").waitFor();
    await page.keyboard.press("a");
    await waitForText(page, "Placed at the proposed position.");
    await waitForText(page, "The inbox is empty.");
    expect(await setup.agent("list_segments_for_source", { source_id: 3 })).toHaveLength(1);
  });
});
