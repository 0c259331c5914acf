import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, visit } from "../browser.ts";
import { type FullHomePage, openFullHomePage } from "../full-home.ts";
import { openView, views } from "./every-view.ts";

/** A viewport about as wide as the printable area of a sheet. */
const wide = { width: 1_280, height: 800 };
const paper = { width: 720, height: 1_000 };

describe.runIf(chromiumPath)("every screen in print", () => {
  let setup: FullHomePage;

  beforeAll(async () => {
    setup = await openFullHomePage();
  });
  afterAll(() => setup?.close());

  for (const [screen, parts] of Object.entries(views)) {
    test(`[web.print.whole] ${screen} is printed completely, dark on light, without controls`, async () => {
      const { page } = await visit(setup.browser, setup.url, {
        viewport: wide,
        colorScheme: "dark",
        reducedMotion: "reduce",
      });
      for (const view of parts) {
        await page.emulateMedia({ media: "screen" });
        await page.setViewportSize(wide);
        await openView(page, setup.url, view);
        await page.emulateMedia({ media: "print" });
        expect(await page.locator("main > *").filter({ visible: true }).count()).toBeGreaterThan(0);
        await page.setViewportSize(paper);
        expect(await wrongOnPaper(page), view.join(" ")).toEqual([]);
      }
      await page.context().close();
    });
  }
});

const wrongOnPaper = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const seen = [...document.querySelectorAll("body *")].filter(
      (one) => one.checkVisibility() && !one.closest(".unseen, svg"),
    );
    const styles = new Map(seen.map((one) => [one, getComputedStyle(one)]));
    const name = (one) => one.outerHTML.slice(0, 100);
    const found = (what, is) => seen.filter(is).map((one) => what + ": " + name(one));
    const ground = getComputedStyle(document.documentElement).colorScheme;
    return [
      ...found("to be pressed", (one) =>
        one.matches("button:not(.codebook .name), textarea, input:not(.prose input), nav") ||
        (one.matches("select") && styles.get(one).appearance !== "none")),
      ...found("cut", (one) =>
        styles.get(one).overflow !== "visible" &&
        (one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)),
      ...found("in place", (one) => ["sticky", "fixed"].includes(styles.get(one).position)),
      ...found("before the page", (one) => one.matches("dialog")),
      ...(document.documentElement.scrollWidth > innerWidth ? ["wider than the paper"] : []),
      ...(ground === "light" ? [] : ["on a ground of " + ground]),
    ];
  })()`);
