import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { barriersOn, chromiumPath, openBrowser, visit } from "./browser.ts";
import { halfCovered, hiddenFocus } from "./covered.ts";
import { come, empty, type View, views } from "./every-view.ts";
import { freshHome, type Served, startServer } from "./program.ts";
import { startWholeHouse, type WholeHouse } from "./whole-house.ts";

const themes = ["light", "dark"] as const;

describe.runIf(chromiumPath)("barriers on every screen", () => {
  let browser: Browser;
  let house: WholeHouse;
  let bare: Served;

  beforeAll(async () => {
    const home = freshHome();
    [house, bare, browser] = await Promise.all([
      startWholeHouse(),
      startServer(home, ["--root", home]),
      openBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([house?.stop(), bare?.stop()]);
  });

  for (const [screen, parts] of [...Object.entries(views), ["nothing yet", empty] as const]) {
    for (const width of [1280, 360]) {
      test(`[house.web.barriers] axe finds none on ${screen} in both themes, ${width} px wide`, {
        timeout: 180_000,
      }, async () => {
        const url = parts === empty ? bare.url : house.url;
        const { page } = await visit(browser, url, {
          viewport: { width, height: 700 },
          reducedMotion: "reduce",
        });
        for (const view of parts) await check(page, url, view, width);
        await page.context().close();
      });
    }
  }
});

async function check(page: Page, url: string, view: View, width: number): Promise<void> {
  const [address] = view;
  await come(page, url, view);
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    expect(await barriersOn(page), `${colorScheme} ${view.join(" ")}`).toEqual([]);
    expect(await halfCovered(page), `${colorScheme} ${view.join(" ")}`).toEqual([]);
  }
  expect(await page.evaluate("document.documentElement.scrollWidth"), address).toBe(width);
  expect(await hiddenFocus(page), address).toEqual([]);
}
