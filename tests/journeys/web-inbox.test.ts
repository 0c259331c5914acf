import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { barriersOn, chromiumPath, seen, visit } from "./browser.ts";
import { type CodingHouse, openCodingHouse, strikeIn, times } from "./coding-page.ts";

describe.runIf(chromiumPath)("the inbox in a browser", () => {
  let house: CodingHouse;

  beforeAll(async () => {
    house = await openCodingHouse();
    await house.person("batch_apply_codes", {
      operations: [
        { code_id: 2, source_id: 1, quote: "Then I hoped again" },
        { code_id: 2, source_id: 2, quote: "asked me" },
      ],
    });
  });
  afterAll(() => house?.close());

  const inbox = () => house.person("list_inbox");

  test("[web.inbox.settle] what lost its place is placed, placed by hand or let go, by keyboard alone", {
    timeout: 60_000,
  }, async () => {
    const { page, complaints } = await visit(
      house.browser,
      `${house.served.url}/?view=coding&of=inbox`,
    );
    await seen(page, "Nothing waits.");
    await house.person("edit_source_text", {
      source_id: 1,
      content: "We spoke of other things.\r\nAnd after that she was hoping once more.",
    });
    await house.person("edit_source_text", { source_id: 2, content: "Silence. They waited." });
    await seen(page, "1 of 3");
    await seen(page, "hoped");
    expect(await barriersOn(page)).toEqual([]);

    await page.keyboard.press("d");
    await seen(page, "Let go. Undo brings it back.");
    await page.keyboard.press("u");
    await seen(page, "Undone.");
    await seen(page, "of 3");

    await page.keyboard.press("e");
    await seen(page, "belong? Select the words.");
    await strikeIn(page, "Ana", ...times(4, "ArrowRight"), "h");
    await seen(page, "Placed.");
    await seen(page, "of 2");
    expect(await house.agent("list_segments_for_source", { source_id: 1 })).toMatchObject([
      { selected_text: "other", owner: "AI Agent" },
    ]);

    await page.keyboard.press("j");
    await seen(page, "2 of 2");
    await page.keyboard.press("k");
    await seen(page, "1 of 2");
    await page.keyboard.press("d");
    await seen(page, "1 of 1");
    await page.keyboard.press("d");
    await seen(page, "Nothing waits.");
    expect(await inbox()).toMatchObject({ total: 0 });
    expect(complaints).toEqual([]);
  });

  test("[web.inbox.propose] a proposed place is shown before and after, and taken with one key", async () => {
    const text =
      "The keeper said that the lamp was lit at dusk. Nobody had asked him to. The night was long.";
    await house.person("add_text_source", { name: "Keeper", content: text });
    await house.person("batch_apply_codes", {
      operations: [{ code_id: 1, source_id: 3, quote: "the lamp was lit at dusk" }],
    });
    const { page } = await visit(house.browser, `${house.served.url}/?view=coding&of=inbox`);
    const after =
      "The keeper told us the lantern had been lit, at dusk. Nobody asked him. The night was long.";
    await house.person("edit_source_text", { source_id: 3, content: after });
    const { items } = (await inbox()) as { items: { start_position?: number }[] };
    expect(items).toHaveLength(1);
    expect(items[0]).toHaveProperty("start_position");
    await seen(page, "% likely");
    await seen(page, "the lamp was lit at dusk");
    await page.locator("mark").waitFor();
    await page.keyboard.press("a");
    await seen(page, "Put at the proposed place.");
    await seen(page, "Nothing waits.");
    expect(await house.agent("list_segments_for_source", { source_id: 3 })).toHaveLength(1);
  });
});
