import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityIssues, chromiumPath, openBrowser, visit } from "../browser.ts";
import { type FullHome, startFullHome } from "../full-home.ts";
import { freshHome, type Served, startServer } from "../program.ts";
import { coveredFocusTargets, partlyCoveredElements } from "./covered-elements.ts";
import { empty, openView, type View, views } from "./every-view.ts";

const themes = ["light", "dark"] as const;

describe.runIf(chromiumPath)("accessibility of every screen", () => {
  let browser: Browser;
  let setup: FullHome;
  let bare: Served;

  beforeAll(async () => {
    const home = freshHome();
    [setup, bare, browser] = await Promise.all([
      startFullHome(),
      startServer(home, ["--root", home]),
      openBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([setup?.stop(), bare?.stop()]);
  });

  for (const [screen, parts] of [...Object.entries(views), ["nothing yet", empty] as const]) {
    for (const width of [1280, 360]) {
      test(`[core.web.accessibility] axe finds no issues on ${screen} in both themes, ${width} px wide`, async () => {
        const url = parts === empty ? bare.url : setup.url;
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
  await openView(page, url, view);
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityIssues(page), `${colorScheme} ${view.join(" ")}`).toEqual([]);
    expect(await partlyCoveredElements(page), `${colorScheme} ${view.join(" ")}`).toEqual([]);
  }
  expect(await page.evaluate("document.documentElement.scrollWidth"), address).toBe(width);
  expect(await coveredFocusTargets(page), address).toEqual([]);
}
