import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeInterviews } from "../fixtures/interviews.ts";
import { agentAt } from "../fixtures/served-project.ts";
import { barriersOn, chromiumPath, openBrowser, seen, visit } from "./browser.ts";
import { freshHome, type Served, startServer } from "./program.ts";

describe.runIf(chromiumPath)("coding in a browser", () => {
  let browser: Browser;
  let served: Served;
  let agent: ReturnType<typeof agentAt>;

  beforeAll(async () => {
    const home = freshHome();
    [served, browser] = await Promise.all([startServer(home, ["--root", home]), openBrowser()]);
    agent = agentAt(served.url);
  });
  afterAll(async () => {
    await browser?.close();
    await served?.stop();
  });

  const segments = () => agent("list_segments_for_source", { source_id: 1 });

  test("[house.web.coding] a person codes by keyboard alone, in words behind an emoji, while an agent codes the same words", {
    timeout: 90_000,
  }, async () => {
    const { page, complaints } = await visit(browser, `${served.url}/?view=coding`);
    await seen(page, "No project is open");
    await makeInterviews(agent);
    await seen(page, "I hoped.");

    await select(page, "Ana", ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"]);
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("c");
    await page.getByRole("combobox", { name: "Code" }).waitFor();
    await page.keyboard.type("Unsure");
    await page.keyboard.press("Enter");
    await seen(page, "Coded with Unsure.");
    expect(await segments()).toEqual([
      expect.objectContaining({ selected_text: "hoped", owner: "AI Agent" }),
      expect.objectContaining({
        start_position: 13,
        end_position: 25,
        selected_text: "doubted, too",
        owner: "default",
      }),
    ]);

    await agent("batch_apply_codes", {
      operations: [{ code_id: 2, source_id: 1, quote: "I doubted" }],
    });
    const both = page.getByRole("button", { name: "doubted", exact: true });
    await both.waitFor();
    await both.focus();
    await page.keyboard.press("Enter");
    const stack = page.getByRole("dialog", { name: "Coded here" });
    await stack.getByText("AI Agent · agent").waitFor();
    await stack.getByRole("button", { name: "Remove Waiting" }).focus();
    await page.keyboard.press("Enter");
    await stack.getByRole("button", { name: "Remove Waiting" }).waitFor({ state: "detached" });
    expect(await segments()).toHaveLength(2);
    await page.keyboard.press("Escape");

    await page.keyboard.press("u");
    await seen(page, "Undone.");
    expect(await segments()).toHaveLength(3);
    await page.keyboard.press("r");
    await seen(page, "Done again.");
    expect(await segments()).toHaveLength(2);

    await select(page, "Ana", ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"]);
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("v");
    await seen(page, "Coded with doubted, too.");
    await seenIn(page, "Codes", "doubted, too");
    expect(complaints).toEqual([]);
  });

  test("[house.web.coding-follows] the page goes to the passage that an agent shows", async () => {
    const { page } = await visit(browser, `${served.url}/?view=review`);
    await seen(page, "Nothing waits for you");
    const passage = { source_id: 2, start_pos: 1, end_pos: 7 };
    expect(await agent("navigate_to_segment", passage)).toMatchObject({
      seen_by: expect.any(Number),
    });
    await page.locator(".passage", { hasText: "Nobody" }).waitFor();
    expect(page.url()).toContain("view=coding&of=2&part=1-7");
    await page.goBack();
    await seen(page, "Nothing waits for you");
  });

  test("a selection by mouse is coded with memo and importance, and offers are narrowed by typing", async () => {
    const { page } = await visit(browser, `${served.url}/?view=coding&of=2`);
    await page.getByText("I waited.").dblclick({ position: { x: 30, y: 40 } });
    await page.getByRole("button", { name: "Code c" }).click();
    await page.getByRole("combobox", { name: "Code" }).fill("ai");
    await page.getByRole("textbox", { name: "Memo" }).fill("At once");
    await page.getByRole("combobox", { name: "Importance" }).selectOption("2");
    await page.getByRole("option", { name: "Waiting" }).click();
    await seen(page, "Coded with Waiting.");
    await page.locator(".coded").first().click();
    await seen(page, "At once");
    await seen(page, "importance 2");
  });

  test("[house.web.coding-barriers] axe finds no barrier while coding, light or dark, wide or narrow", {
    timeout: 90_000,
  }, async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1280, 320]) {
        const { page } = await visit(browser, `${served.url}/?view=coding&of=1&part=0-7`, {
          colorScheme,
          viewport: { width, height: 700 },
          reducedMotion: "reduce",
        });
        const where = `${colorScheme} ${width}`;
        await seen(page, "I hoped again.");
        expect(await barriersOn(page), where).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        await select(page, "Ana", ["ArrowRight"]);
        await page.keyboard.press("c");
        await page.getByRole("option", { name: "Hope" }).waitFor();
        expect(await barriersOn(page), `${where}, picking`).toEqual([]);
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "hoped" }).first().press("Enter");
        await page.getByRole("dialog", { name: "Coded here" }).waitFor();
        expect(await barriersOn(page), `${where}, codes of a run`).toEqual([]);
        await page.context().close();
      }
    }
  });
});

async function select(page: Page, source: string, keys: string[]): Promise<void> {
  await page.getByRole("region", { name: `Text of ${source}` }).focus();
  for (const key of keys) await page.keyboard.press(key);
}

const seenIn = (page: Page, region: string, words: string): Promise<void> =>
  page.getByRole("region", { name: region, exact: true }).getByText(words).first().waitFor();
