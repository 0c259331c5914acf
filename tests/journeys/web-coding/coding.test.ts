import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeInterviews } from "../../fixtures/qualitative/interviews.ts";
import { accessibilityIssues, chromiumPath, visit, waitForText } from "../browser.ts";
import { connectModernClient } from "../mcp/client-eras.ts";
import { type CodingSetup, openCodingSetup, pressKeysIn, times } from "./coding-page.ts";

describe.runIf(chromiumPath)("coding in a browser", () => {
  let setup: CodingSetup;
  let url: string;

  beforeAll(async () => {
    setup = await openCodingSetup({ isEmpty: true });
    url = `${setup.server.url}/?view=coding`;
  });
  afterAll(() => setup?.close());

  const segments = () => setup.agent("list_segments_for_source", { source_id: 1 });

  test("[core.web.coding] a person codes by keyboard, in text after an emoji, while an agent codes the same text", async () => {
    const { page, consoleErrors } = await visit(setup.browser, url);
    await waitForText(page, "No project is open");
    await makeInterviews(setup.agent);
    await waitForText(page, "I hoped.");

    await pressKeysIn(page, "Ana", ...times(4, "ArrowRight"), "Shift+ArrowRight", "c");
    await page.getByRole("combobox", { name: "Code" }).waitFor();
    await page.keyboard.type("Unsure");
    await page.keyboard.press("Enter");
    await waitForText(page, "Coded with Unsure.");
    expect(await segments()).toEqual([
      expect.objectContaining({ selected_text: "hoped", owner: "AI Agent" }),
      expect.objectContaining({
        start_position: 13,
        end_position: 25,
        selected_text: "doubted, too",
        owner: "default",
      }),
    ]);

    const mcp = await connectModernClient({ over: "http", url: `${setup.server.url}/mcp` }, "auto");
    await mcp.call("batch_apply_codes", {
      operations: [{ code_id: 2, source_id: 1, quote: "I doubted" }],
    });
    const both = page.getByRole("button", { name: "doubted", exact: true });
    await both.waitFor();
    await pressKeysIn(page, "Ana", "n");
    await page.keyboard.press("n");
    await page.keyboard.press("n");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("doubted");
    await page.keyboard.press("Enter");
    const stack = page.getByRole("dialog", { name: "Coded here" });
    await stack.getByText("journey (agent)").waitFor();
    await stack.getByRole("button", { name: "Remove Waiting" }).focus();
    await page.keyboard.press("Enter");
    await stack.getByRole("button", { name: "Remove Waiting" }).waitFor({ state: "detached" });
    expect(await segments()).toHaveLength(2);
    await page.keyboard.press("Escape");

    await page.keyboard.press("u");
    await waitForText(page, "Undone.");
    expect(await segments()).toHaveLength(3);
    await page.keyboard.press("r");
    await waitForText(page, "Redone.");
    expect(await segments()).toHaveLength(2);

    await pressKeysIn(page, "Ana", ...times(4, "ArrowRight"), "Shift+ArrowRight", "v");
    await waitForText(page, "Coded with doubted, too.");
    await page.getByRole("region", { name: "Codes" }).getByText("doubted, too").waitFor();
    await mcp.close();
    expect(consoleErrors).toEqual([]);
  });

  test("[core.web.coding-follows] the page scrolls to the passage that an agent navigates to", async () => {
    const { page } = await visit(setup.browser, `${setup.server.url}/?view=review`);
    await waitForText(page, "No pending proposals");
    const mcp = await connectModernClient({ over: "http", url: `${setup.server.url}/mcp` }, "auto");
    const passage = { source_id: 2, start_pos: 1, end_pos: 7 };
    expect(await mcp.call("navigate_to_segment", passage)).toMatchObject({
      structuredContent: { data: { seen_by: expect.any(Number) } },
    });
    await page.locator(".passage", { hasText: "Nobody" }).waitFor();
    expect(page.url()).toContain("view=coding&of=2&part=1-7");
    await mcp.close();
    await page.goBack();
    await waitForText(page, "No pending proposals");
  });

  test("a mouse selection snaps to whole words, and is coded with memo and importance", async () => {
    const { page } = await visit(setup.browser, `${url}&of=2`);
    const text = page.getByRole("region", { name: "Text of David" });
    await text.getByText("Nobody asked").first().waitFor();
    const [from, to] = await Promise.all([middleOf(page, "Nobody"), middleOf(page, "asked")]);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
    expect(await page.evaluate("getSelection().toString()")).toBe("Nobody asked");
    await page.getByRole("button", { name: "Code c" }).click();
    await page.getByRole("combobox", { name: "Code" }).fill("ai");
    await page.getByRole("textbox", { name: "Memo" }).fill("At once");
    await page.getByRole("combobox", { name: "Importance" }).selectOption("2");
    await page.getByRole("option", { name: "Waiting" }).click();
    await waitForText(page, "Coded with Waiting.");
    await page.locator(".coded").first().click();
    const stack = page.getByRole("dialog", { name: "Coded here" });
    expect(await stack.getByRole("textbox", { name: "Memo of Waiting" }).inputValue()).toBe(
      "At once",
    );
    expect(await stack.getByRole("combobox").inputValue()).toBe("2");
  });

  test("[core.web.coding-accessibility] axe finds no issues while coding, light or dark, wide or narrow", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1280, 360, 320]) {
        const { page } = await visit(setup.browser, `${url}&of=1&part=0-7`, {
          colorScheme,
          viewport: { width, height: 700 },
          reducedMotion: "reduce",
        });
        const label = `${colorScheme} ${width}`;
        await waitForText(page, "I hoped again.");
        // A sticky header may cover part of a button.
        await page.evaluate("scrollTo(0, 0)");
        expect(await accessibilityIssues(page), label).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        await pressKeysIn(page, "Ana", "ArrowRight", "c");
        await page.getByRole("option", { name: "Hope" }).waitFor();
        expect(await accessibilityIssues(page), `${label}, picking`).toEqual([]);
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "hoped", exact: true }).first().press("Enter");
        await page.getByRole("dialog", { name: "Coded here" }).waitFor();
        expect(await accessibilityIssues(page), `${label}, codes of a run`).toEqual([]);
        await page.keyboard.press("Escape");
        const codebook = page.getByRole("region", { name: "Codes" });
        await codebook.getByRole("button", { name: "Hope", exact: true }).press("Enter");
        for (const task of ["Merge into another code", "Split", "Delete"]) {
          await page.locator("summary", { hasText: task }).press("Enter");
        }
        await page.getByRole("button", { name: "Delete Hope" }).waitFor();
        expect(await accessibilityIssues(page), `${label}, a code`).toEqual([]);
        await page.context().close();
      }
    }
  });
});

/** The center of the first occurrence of a word, which depends on the fonts of the machine. */
function middleOf(page: Page, word: string): Promise<{ x: number; y: number }> {
  return page.evaluate(`(() => {
    const region = document.querySelector('[aria-label="Text of David"]');
    const sought = ${JSON.stringify(word)};
    const nodes = document.createTreeWalker(region, NodeFilter.SHOW_TEXT);
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
      const start = node.nodeValue.indexOf(sought);
      if (start < 0) continue;
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, start + sought.length);
      const { x, y, width, height } = range.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    }
    throw new Error("The text does not have the word " + sought);
  })()`);
}
