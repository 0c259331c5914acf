import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";
import axe, { type AxeResults } from "axe-core";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
} from "playwright-core";

/** Usual paths of Chromium; `CHROMIUM_PATH` overrides them. */
const defaultPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

export const chromiumPath = (
  process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : defaultPaths
).find((path) => existsSync(path));

export const browserOptions = (...flags: readonly string[]): LaunchOptions => ({
  ...(chromiumPath && { executablePath: chromiumPath }),
  args: [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    ...flags,
  ],
});

/** The endpoint of the Chromium started by `tests/runner/shared-browser.ts`. */
export const sharedBrowserVariable = "LECTERN_TEST_CHROMIUM";

/** Connects to the Chromium that all test files share. With flags, a separate one is started. */
export function openBrowser(...flags: readonly string[]): Promise<Browser> {
  const sharedEndpoint = process.env[sharedBrowserVariable];
  return flags.length === 0 && sharedEndpoint
    ? chromium.connect(sharedEndpoint)
    : chromium.launch(browserOptions(...flags));
}

/** Presses a button that downloads a file; returns its name and text. */
export async function saveByButton(
  page: Page,
  button: string,
): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button }).click(),
  ]);
  // The browser is remote, so the file has no local path.
  const saved = await text(await download.createReadStream());
  return { name: download.suggestedFilename(), text: saved };
}

export interface Visit {
  page: Page;
  /** Errors in the console, and requests to other hosts. */
  consoleErrors: string[];
}

/** Opens a URL in a new browser context, without cookies or stored settings. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const consoleErrors: string[] = [];
  page.on("pageerror", (error) => consoleErrors.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) consoleErrors.push(message.text());
  });
  page.on("request", (request) => {
    const { origin } = new URL(request.url());
    if (origin !== new URL(url).origin) consoleErrors.push(`request to ${origin}`);
  });
  await page.goto(url);
  return { page, consoleErrors };
}

/** Waits until this text is visible on the page. */
export const waitForText = (page: Page, words: string): Promise<void> =>
  page.getByText(words).filter({ visible: true }).first().waitFor();

/** The accessibility issues that axe finds on the current page, one line each. */
export async function accessibilityIssues(page: Page): Promise<string[]> {
  if (await page.evaluate("!('axe' in window)")) await page.evaluate(axe.source);
  // The script just injected returns the type that it declares.
  const { violations, passes } = (await page.evaluate(
    "axe.run({ rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'] })",
  )) as AxeResults;
  if (passes.length < 10) return ["axe checked too few elements"];
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
}
