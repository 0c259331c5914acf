import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { barriersOn, chromiumPath, seen, visit } from "../browser.ts";
import { type CodingSetup, openCodingSetup, strikeIn, times } from "./coding-page.ts";

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

  test("[web.inbox.settle] passages that lost their location are accepted, placed by hand or dismissed, by keyboard", {
    timeout: 60_000,
  }, async () => {
    const { page, complaints } = await visit(
      setup.browser,
      `${setup.served.url}/?view=coding&of=inbox`,
    );
    await seen(page, "The inbox is empty.");
    await setup.person("edit_source_text", {
      source_id: 1,
      content: "We spoke of other things.\r\nAnd after that she was hoping once more.",
    });
    await setup.person("edit_source_text", { source_id: 2, content: "Silence. They waited." });
    await seen(page, "1 of 3");
    await seen(page, "hoped");
    expect(await barriersOn(page)).toEqual([]);

    await page.keyboard.press("d");
    await seen(page, "Discarded. Undo restores it.");
    await page.keyboard.press("u");
    await seen(page, "Undone.");
    await seen(page, "of 3");

    await page.keyboard.press("e");
    await seen(page, "belong? Select the text.");
    await strikeIn(page, "Ana", ...times(4, "ArrowRight"), "h");
    await seen(page, "Placed.");
    await seen(page, "of 2");
    expect(await setup.agent("list_segments_for_source", { source_id: 1 })).toMatchObject([
      { selected_text: "other", owner: "AI Agent" },
    ]);

    await page.keyboard.press("j");
    await seen(page, "2 of 2");
    await page.keyboard.press("k");
    await seen(page, "1 of 2");
    await page.keyboard.press("d");
    await seen(page, "1 of 1");
    await page.keyboard.press("d");
    await seen(page, "The inbox is empty.");
    expect(await inbox()).toMatchObject({ total: 0 });
    expect(complaints).toEqual([]);
  });

  test("[web.inbox.propose] a proposed location is shown before and after, and accepted with one key", async () => {
    const text =
      "The keeper said that the lamp was lit at dusk. Nobody had asked him to. The night was long.";
    await setup.person("add_text_source", { name: "Keeper", content: text });
    await setup.person("batch_apply_codes", {
      operations: [{ code_id: 1, source_id: 3, quote: "the lamp was lit at dusk" }],
    });
    const { page } = await visit(setup.browser, `${setup.served.url}/?view=coding&of=inbox`);
    const after =
      "The keeper told us the lantern had been lit, at dusk. Nobody asked him. The night was long.";
    await setup.person("edit_source_text", { source_id: 3, content: after });
    const { items } = (await inbox()) as { items: { start_position?: number }[] };
    expect(items).toHaveLength(1);
    expect(items[0]).toHaveProperty("start_position");
    await seen(page, "% likely");
    await seen(page, "the lamp was lit at dusk");
    await page.locator("mark").waitFor();
    await page.keyboard.press("a");
    await seen(page, "Placed at the proposed position.");
    await seen(page, "The inbox is empty.");
    expect(await setup.agent("list_segments_for_source", { source_id: 3 })).toHaveLength(1);
  });
});
