import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, visit, waitForText } from "../browser.ts";
import { type CodingSetup, openCodingSetup, pressKeysIn } from "./coding-page.ts";

const sentence = "She waited by the lamp 😀, hoped a little and wrote it all down again. ";

describe.runIf(chromiumPath)("long texts in a browser", () => {
  let setup: CodingSetup;

  beforeAll(async () => {
    setup = await openCodingSetup();
  });
  afterAll(() => setup?.close());

  test("[web.coding.long] a 1 MB text with 2,000 codings is laid out only where visible, and can be coded at its end", async () => {
    const lines = Array.from({ length: 2_300 }, (_, at) => `${at}. ${sentence.repeat(6)}`);
    const content = `${lines.join("\n")}\nThe very last words.`;
    const added = await setup.agent("add_text_source", { name: "Long", content });
    const { source_id } = added as { source_id: number };
    const length = [...content].length;
    const operations = Array.from({ length: 2_000 }, (_, at) => {
      const start_position = Math.floor((at / 2_000) * (length - 500));
      return {
        code_id: 1 + (at % 2),
        source_id,
        start_position,
        end_position: start_position + 400,
      };
    });
    await setup.agent("batch_apply_codes", { operations });

    const position = length - "words.".length;
    const { page, consoleErrors } = await visit(
      setup.browser,
      `${setup.server.url}/?view=coding&of=${source_id}&part=${position}-${length - 1}`,
    );
    await page.locator(".passage", { hasText: "words" }).waitFor();
    const top = "document.querySelector('.passage').getBoundingClientRect().top";
    await expect.poll(() => page.evaluate(top)).toBeLessThan(800);
    const countDrawnBars =
      "[...document.querySelectorAll('.bar')].filter((bar) => bar.style.height).length";
    await expect.poll(() => page.evaluate(countDrawnBars)).toBeGreaterThan(0);
    expect(await page.evaluate(countDrawnBars)).toBeLessThan(200);

    await page.locator(".passage").dblclick();
    await page.keyboard.press("1");
    await waitForText(page, "Coded with");
    const found = await setup.agent("list_segments_for_source", { source_id });
    expect((found as { selected_text: string }[]).at(-1)).toMatchObject({
      selected_text: "words",
      start_position: position,
    });
    await pressKeysIn(page, "Long", "p");
    expect(await page.evaluate("document.activeElement.className")).toContain("coded");
    expect(consoleErrors).toEqual([]);
  });
});
