import { existsSync } from "node:fs";
import axe, { type AxeResults } from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** Where a Chromium usually is; `CHROMIUM_PATH` names another, and then only that one counts. */
const usualPlaces = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

export const chromiumPath = (
  process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : usualPlaces
).find((path) => existsSync(path));

export const openBrowser = (...words: readonly string[]): Promise<Browser> =>
  chromium.launch({
    ...(chromiumPath && { executablePath: chromiumPath }),
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...words,
    ],
  });

export interface Visit {
  page: Page;
  /** Requests to anywhere else, refusals of the content policy, errors of scripts. */
  complaints: string[];
}

/** Opens an address in a window of its own, as a person who has never been there. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("request", (request) => {
    const { origin } = new URL(request.url());
    if (origin !== new URL(url).origin) complaints.push(`request to ${origin}`);
  });
  await page.goto(url);
  return { page, complaints };
}

/** Waits until somebody who looks at the page sees these words. */
export const seen = (page: Page, words: string): Promise<void> =>
  page.getByText(words).filter({ visible: true }).first().waitFor({ timeout: 10_000 });

/** What axe finds wrong on the page as it is now, one line for each. */
export async function barriersOn(page: Page): Promise<string[]> {
  if (await page.evaluate("!('axe' in window)")) await page.evaluate(axe.source);
  // The script just put there answers in the form that its own types describe.
  const { violations, passes } = (await page.evaluate(
    "axe.run({ rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'] })",
  )) as AxeResults;
  if (passes.length < 10) return ["axe looked at hardly anything"];
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
}
