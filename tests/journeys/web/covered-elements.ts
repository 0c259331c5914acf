import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** Sticky elements. */
const stickyHeaders = [".masthead", ".reader > header", ".coding .tools"];

/** The maximum number of scroll positions tested per screen; more find nothing new. */
const maxPositions = 8;

/**
 * Scrolls to positions at which a control is half covered by fixed elements, and
 * returns the controls that are then too small to be pressed.
 */
export async function partlyCoveredElements(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const positions = (await page.evaluate(findPositions)) as readonly [number, number][];
  const step = Math.max(1, Math.ceil(positions.length / maxPositions));
  const found: string[] = [];
  for (const [pane, top] of positions.filter((_, at) => at % step === 0)) {
    await page.evaluate(`(${scrollContainers})()[${pane}].scrollTop = ${top}`);
    // The script just injected returns the type that it declares.
    const { violations } = (await page.evaluate(
      "axe.run({ runOnly: ['target-size'], rules: { 'target-size': { enabled: true } } })",
    )) as AxeResults;
    for (const { nodes } of violations) {
      found.push(...nodes.map(({ target }) => `${target} at ${top}`));
    }
  }
  await page.evaluate(`for (const pane of (${scrollContainers})()) pane.scrollTop = 0`);
  return found;
}

/** Focusable elements, from last to first, that are covered by fixed elements when focused. */
export const coveredFocusTargets = (page: Page): Promise<string[]> =>
  page.evaluate(coveredFocusScript);

/** The page, and the reader if it scrolls separately. */
const scrollContainers = `() => [document.scrollingElement, ...document.querySelectorAll(".reader")]`;

/** Sticky headers, with their lower edges. */
const edges = `() => ${JSON.stringify(stickyHeaders)}
  .flatMap((one) => [...document.querySelectorAll(one)])
  .filter((one) => getComputedStyle(one).position === "sticky")`;

const widgets = `() => [...document.querySelectorAll(
  "main :is(a, button, input, select, textarea, summary)",
)].filter((one) => one.checkVisibility() && !one.closest(".unseen"))`;

const findPositions = `(() => {
  const all = (${scrollContainers})();
  return all.flatMap((pane, at) => (${edges})().flatMap((head) => {
    const edge = head.getBoundingClientRect().bottom;
    const own = (${widgets})().filter((one) => pane.contains(one) && !head.contains(one));
    const tops = own.map((one) => {
      const { top, height } = one.getBoundingClientRect();
      return Math.round(pane.scrollTop + top + height / 2 - edge);
    });
    const most = pane.scrollHeight - pane.clientHeight;
    return [...new Set(tops)].filter((top) => top > 0 && top <= most).map((top) => [at, top]);
  }));
})()`;

const coveredFocusScript = `(() => {
  const hidden = [];
  for (const one of (${widgets})().reverse()) {
    one.focus();
    // Disabled elements take no focus.
    if (!one.matches(":focus")) continue;
    const { top, bottom, left } = one.getBoundingClientRect();
    const covers = (${edges})().some((head) => {
      const box = head.getBoundingClientRect();
      const isOver = left >= box.left && left < box.right && bottom > box.top && top < box.bottom;
      return isOver && !head.contains(one) && bottom - top < innerHeight / 2;
    });
    if (covers) hidden.push(one.outerHTML.slice(0, 120));
  }
  scrollTo(0, 0);
  return hidden;
})()`;
