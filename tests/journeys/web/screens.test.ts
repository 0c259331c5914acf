import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, visit, waitForText } from "../browser.ts";
import { type FullHomePage, openFullHomePage } from "../full-home.ts";
import { type View, views } from "./every-view.ts";

describe.runIf(chromiumPath)("switching between screens", () => {
  let setup: FullHomePage;

  beforeAll(async () => {
    setup = await openFullHomePage();
  });
  afterAll(() => setup?.close());

  test("[web.screens.independent] a screen looks the same whichever screens were shown before", async () => {
    const { page, consoleErrors } = await visit(setup.browser, setup.url);
    const plainViews = Object.values(views).flatMap((parts) => {
      const plain = parts.filter(([address, , ...keys]) => keys.length === 0 && address !== "/");
      return plain.slice(0, 2);
    });
    // Opened documents may be listed on other screens afterwards.
    for (const view of plainViews) await navigateTo(page, view);
    const expected: string[] = [];
    for (const [address, text] of plainViews) {
      await page.goto(setup.url + address);
      await waitForText(page, text);
      expected.push(await settledLayout(page));
    }
    for (const view of plainViews.toReversed()) await navigateTo(page, view);
    for (const [index, view] of plainViews.entries()) {
      await navigateTo(page, view);
      await expect.poll(() => layoutOf(page), { message: view[0] }).toBe(expected[index]);
    }
    expect(consoleErrors.filter((text) => !text.includes("404"))).toEqual([]);
  });
});

/** Navigates without reloading the page, like its own links. */
async function navigateTo(page: Page, [address, text]: View): Promise<void> {
  await page.evaluate(
    `history.pushState(null, "", ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent("popstate"))`,
  );
  await waitForText(page, text);
}

/** The layout after all responses have arrived, that is, when it is unchanged twice. */
async function settledLayout(page: Page): Promise<string> {
  let before = "";
  const isSettled = async (): Promise<boolean> => {
    const now = await layoutOf(page);
    const isSame = now === before;
    before = now;
    return isSame;
  };
  await expect.poll(isSettled, { interval: 300 }).toBe(true);
  return before;
}

/** The size and font of each element, regardless of the scroll position. */
const layoutOf = (page: Page): Promise<string> =>
  page.evaluate(`[...document.querySelectorAll("main, main *")].map((one) => {
    const { width, height } = one.getBoundingClientRect();
    const { fontSize, color, borderWidth } = getComputedStyle(one);
    const box = [width, height].map(Math.round).join(" ");
    return [one.localName, box, fontSize, color, borderWidth].join(" ");
  }).join("\\n")`);
