/**
 * Takes a screenshot of every view in both themes: `npm run screens` writes them to `docs/screens`.
 * It runs the built program on a home with content in every view.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { openBrowser, visit, waitForText } from "../tests/journeys/browser.ts";
import { startFullHome } from "../tests/journeys/full-home.ts";

interface Screen {
  name: string;
  address: string;
  /** Text that must be visible before the screenshot is taken. */
  text: string;
  /** Input before the screenshot. */
  action?: (page: Page) => Promise<void>;
}

const press =
  (...keys: string[]) =>
  async (page: Page): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };

const screens: readonly Screen[] = [
  { name: "home", address: "/", text: "in 4 collections" },
  {
    name: "search",
    address: "/?q=tape",
    text: "2 results",
  },
  {
    name: "reader",
    address: "/?q=tape&open=handbook/preservation.md&line=15",
    text: "stand upright",
  },
  { name: "review", address: "/?view=review", text: "Lend lanterns by the week" },
  { name: "objects", address: "/?view=objects&in=catalogue&of=log_book", text: "Referenced by" },
  {
    name: "graph",
    address: "/?view=objects&in=catalogue&of=lamp&part=graph-2",
    text: "connected objects",
  },
  {
    name: "sql",
    address: "/?view=objects&in=catalogue&part=sql&of=SELECT+*+FROM+objects",
    text: "rows",
  },
  { name: "architecture", address: "/?view=architecture&part=timeline", text: "2026" },
  {
    name: "decision",
    address:
      "/?view=architecture&part=decision&of=mcp/resources/adr/001-keep-loans-in-one-ledger.md",
    text: "Superseded by",
  },
  { name: "coding", address: "/?view=coding&of=1", text: "I came up the stairs" },
  { name: "reports", address: "/?view=reports&part=cooccurrence", text: "Waiting" },
  { name: "repository", address: "/?view=repository&of=lamps", text: "Packages" },
  { name: "map", address: "/?view=repository&of=lamps&part=map", text: "Tutorials" },
  { name: "drift", address: "/?view=repository&of=lamps&part=drift", text: "was renamed" },
  { name: "palette", address: "/?view=review", text: "Lend lanterns", action: press("Control+k") },
  { name: "settings", address: "/", text: "in 4 collections", action: press("Tab", ",") },
];

const folder = fileURLToPath(new URL("../docs/screens", import.meta.url));
/** The maximum total size, to keep the repository small. */
const maxBytes = 3_000_000;

const home = mkdtempSync(join(tmpdir(), "lighthouse-"));
const [fullHome, browser] = await Promise.all([startFullHome(home), openBrowser()]);
try {
  await fullHome.person("embed");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  let bytes = 0;
  for (const theme of ["light", "dark"] as const) {
    for (const screen of screens) bytes += await screenshot(browser, screen, theme);
  }
  process.stdout.write(`${screens.length * 2} screenshots, ${Math.round(bytes / 1000)} kB\n`);
  if (bytes > maxBytes) throw new Error("The screenshots exceed 3 MB in total.");
} finally {
  await browser.close();
  await fullHome.stop();
  rmSync(home, { recursive: true, force: true });
}

async function screenshot(
  browser: Browser,
  { name, address, text, action }: Screen,
  theme: "light" | "dark",
): Promise<number> {
  const { page } = await visit(browser, fullHome.url + address, {
    colorScheme: theme,
    reducedMotion: "reduce",
  });
  await waitForText(page, text);
  await action?.(page);
  await page.waitForLoadState("networkidle").catch(() => undefined);
  // Playwright cannot write WebP, but the browser can.
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: 82 });
  const picture = Buffer.from(data, "base64");
  writeFileSync(join(folder, `${name}-${theme}.webp`), picture);
  await page.context().close();
  return picture.length;
}
