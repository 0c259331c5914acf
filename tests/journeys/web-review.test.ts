import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { barriersOn, chromiumPath, openBrowser, seen, visit } from "./browser.ts";
import { freshHome, type Served, sample, startServer } from "./program.ts";

describe.runIf(chromiumPath)("the review queue in a browser", () => {
  let browser: Browser;
  let served: Served;
  let library: string;

  beforeAll(async () => {
    const home = freshHome();
    library = join(home, "library");
    cpSync(sample, library, { recursive: true });
    [served, browser] = await Promise.all([startServer(home, ["--root", library]), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await served?.stop();
  });

  /** An agent that has no page proposes a decision. */
  async function propose(title: string): Promise<void> {
    const response = await fetch(`${served.url}/tools/propose-decision`, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "agent" },
      body: JSON.stringify({
        arguments: { kind: "new", title, rationale: "It was asked for twice." },
      }),
    });
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  }

  const written = () => readdirSync(join(library, "mcp/resources/adr")).sort();

  test("[house.web.review] a person decides by keyboard alone what an agent proposes meanwhile", async () => {
    const { page, complaints } = await visit(browser, `${served.url}/?view=review`);
    await seen(page, "Nothing waits for you");
    const before = written();

    await propose("Lend lanterns by the week");
    await propose("Paint the gate");
    await seen(page, "Lend lanterns by the week");
    await seen(page, "1 of 2");
    await seen(page, "It was asked for twice.");
    expect(written()).toEqual(before);

    await page.keyboard.press("a");
    await seen(page, "Accepted:");
    const [made] = written().filter((name) => !before.includes(name));
    expect(readFileSync(join(library, "mcp/resources/adr", made ?? ""), "utf8")).toContain(
      "Lend lanterns by the week",
    );

    await seen(page, "1 of 1");
    await page.getByRole("textbox", { name: "Why not" }).focus();
    await page.keyboard.type("It is new.");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("r");
    await seen(page, "Rejected:");
    await seen(page, "Nothing waits for you");
    const all = await (await fetch(`${served.url}/proposals?status=rejected`)).json();
    expect(all).toMatchObject({
      proposals: [{ reason: "It is new.", decided_by: { surface: "web" } }],
    });

    await page.getByRole("button", { name: /^Undo/ }).first().click();
    await seen(page, "Taken back:");
    expect(written()).toEqual(before);
    expect(complaints).toEqual([]);
  });

  test("[house.web.review-barriers] axe finds no barrier in the queue, light or dark, wide or narrow", {
    timeout: 60_000,
  }, async () => {
    await propose("Light the stairs");
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1280, 320]) {
        const { page } = await visit(browser, `${served.url}/?view=review`, {
          colorScheme,
          viewport: { width, height: 700 },
          reducedMotion: "reduce",
        });
        await seen(page, "Light the stairs");
        await page.keyboard.press("e");
        await page.getByRole("textbox", { name: "What is done instead" }).waitFor();
        expect(await barriersOn(page), `${colorScheme} ${width}`).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        await page.context().close();
      }
    }
  });
});
