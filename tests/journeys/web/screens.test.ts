import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, seen, visit } from "../browser.ts";
import { type FullHomePage, openFullHomePage } from "../full-home.ts";
import { type View, views } from "./every-view.ts";

describe.runIf(chromiumPath)("switching between screens", () => {
  let setup: FullHomePage;

  beforeAll(async () => {
    setup = await openFullHomePage();
  });
  afterAll(() => setup?.close());

  test("[web.screens.independent] a screen looks the same whichever screens were shown before", {
    timeout: 120_000,
  }, async () => {
    const { page, complaints } = await visit(setup.browser, setup.url);
    const looked = Object.values(views).flatMap((parts) => {
      const plain = parts.filter(([address, , ...keys]) => keys.length === 0 && address !== "/");
      return plain.slice(0, 2);
    });
    // What was opened once may be listed on other screens afterwards.
    for (const view of looked) await turnTo(page, view);
    const fresh: string[] = [];
    for (const [address, words] of looked) {
      await page.goto(setup.url + address);
      await seen(page, words);
      fresh.push(await settledLayout(page));
    }
    for (const view of looked.toReversed()) await turnTo(page, view);
    for (const [at, view] of looked.entries()) {
      await turnTo(page, view);
      await expect.poll(() => layoutOf(page), { message: view[0] }).toBe(fresh[at]);
    }
    expect(complaints.filter((words) => !words.includes("404"))).toEqual([]);
  });
});

/** Goes there without loading the page anew, as its own links do. */
async function turnTo(page: Page, [address, words]: View): Promise<void> {
  await page.evaluate(
    `history.pushState(null, "", ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent("popstate"))`,
  );
  await seen(page, words);
}

/** Answers come one after the other; it has settled when it is twice the same. */
async function settledLayout(page: Page): Promise<string> {
  let before = "";
  const isSettled = async (): Promise<boolean> => {
    const now = await layoutOf(page);
    const isSame = now === before;
    before = now;
    return isSame;
  };
  await expect.poll(isSettled, { interval: 300, timeout: 10_000 }).toBe(true);
  return before;
}

/** How large everything is on the screen, and in which letters, wherever it is scrolled to. */
const layoutOf = (page: Page): Promise<string> =>
  page.evaluate(`[...document.querySelectorAll("main, main *")].map((one) => {
    const { width, height } = one.getBoundingClientRect();
    const { fontSize, color, borderWidth } = getComputedStyle(one);
    const box = [width, height].map(Math.round).join(" ");
    return [one.localName, box, fontSize, color, borderWidth].join(" ");
  }).join("\\n")`);
