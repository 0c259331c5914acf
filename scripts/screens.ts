/**
 * Takes a screenshot of every view in both themes: `npm run screens` writes them to `docs/screens`.
 * It runs the built program on a home with content in every view.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { openBrowser, waitForText, visit } from "../tests/journeys/browser.ts";
import { startFullHome } from "../tests/journeys/full-home.ts";

interface Screen {
  name: string;
  address: string;
  /** Text that must be visible before the screenshot is taken. */
  words: string;
  /** Input before the screenshot. */
  act?: (page: Page) => Promise<void>;
}

const press =
  (...keys: string[]) =>
  async (page: Page): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };

const screens: readonly Screen[] = [
  { name: "home", address: "/", words: "in 4 collections" },
  {
    name: "search",
    address: "/?q=tape",
    words: "2 results",
  },
  {
    name: "reader",
    address: "/?q=tape&open=handbook/preservation.md&line=15",
    words: "stand upright",
  },
  { name: "review", address: "/?view=review", words: "Lend lanterns by the week" },
  { name: "objects", address: "/?view=objects&in=catalogue&of=log_book", words: "Referenced by" },
  {
    name: "graph",
    address: "/?view=objects&in=catalogue&of=lamp&part=graph-2",
    words: "connected objects",
  },
  {
    name: "sql",
    address: "/?view=objects&in=catalogue&part=sql&of=SELECT+*+FROM+objects",
    words: "rows",
  },
  { name: "architecture", address: "/?view=architecture&part=timeline", words: "2026" },
  {
    name: "decision",
    address:
      "/?view=architecture&part=decision&of=mcp/resources/adr/001-keep-loans-in-one-ledger.md",
    words: "Superseded by",
  },
  { name: "coding", address: "/?view=coding&of=1", words: "I came up the stairs" },
  { name: "reports", address: "/?view=reports&part=cooccurrence", words: "Waiting" },
  { name: "repository", address: "/?view=repository&of=lamps", words: "Packages" },
  { name: "map", address: "/?view=repository&of=lamps&part=map", words: "Tutorials" },
  { name: "drift", address: "/?view=repository&of=lamps&part=drift", words: "was renamed" },
  { name: "palette", address: "/?view=review", words: "Lend lanterns", act: press("Control+k") },
  { name: "settings", address: "/", words: "in 4 collections", act: press("Tab", ",") },
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
    for (const screen of screens) bytes += await take(browser, screen, theme);
  }
  process.stdout.write(`${screens.length * 2} screenshots, ${Math.round(bytes / 1000)} kB\n`);
  if (bytes > maxBytes) throw new Error("The screenshots exceed 3 MB in total.");
} finally {
  await browser.close();
  await fullHome.stop();
  rmSync(home, { recursive: true, force: true });
}

async function take(
  browser: Browser,
  { name, address, words, act }: Screen,
  theme: "light" | "dark",
): Promise<number> {
  const { page } = await visit(browser, fullHome.url + address, {
    colorScheme: theme,
    reducedMotion: "reduce",
  });
  await waitForText(page, words);
  await act?.(page);
  await page.waitForLoadState("networkidle").catch(() => undefined);
  // Playwright cannot write WebP, but the browser can.
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: 82 });
  const picture = Buffer.from(data, "base64");
  writeFileSync(join(folder, `${name}-${theme}.webp`), picture);
  await page.context().close();
  return picture.length;
}
