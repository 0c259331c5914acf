/**
 * Takes a picture of every screen in both themes: `npm run screens`, then look at them in
 * `docs/screens`. They are made from the built program and a house with something to see everywhere.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { openBrowser, seen, visit } from "../tests/journeys/browser.ts";
import { startWholeHouse } from "../tests/journeys/whole-house.ts";

interface Screen {
  name: string;
  address: string;
  /** What must be seen before the picture is taken. */
  words: string;
  /** What a person does first. */
  act?: (page: Page) => Promise<void>;
}

const strike =
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
  { name: "objects", address: "/?view=objects&in=catalogue&of=log_book", words: "Spoken of by" },
  {
    name: "graph",
    address: "/?view=objects&in=catalogue&of=lamp&part=graph-2",
    words: "objects around it",
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
    words: "In its place holds",
  },
  { name: "coding", address: "/?view=coding&of=1", words: "I came up the stairs" },
  { name: "reports", address: "/?view=reports&part=cooccurrence", words: "Waiting" },
  { name: "repository", address: "/?view=repository&of=lamps", words: "Packages" },
  { name: "map", address: "/?view=repository&of=lamps&part=map", words: "Tutorials" },
  { name: "drift", address: "/?view=repository&of=lamps&part=drift", words: "has another name" },
  { name: "palette", address: "/?view=review", words: "Lend lanterns", act: strike("Control+k") },
  { name: "settings", address: "/", words: "in 4 collections", act: strike("Tab", ",") },
];

const folder = fileURLToPath(new URL("../docs/screens", import.meta.url));
/** All of them together; a repository is no place for more. */
const mostBytes = 3_000_000;

const home = mkdtempSync(join(tmpdir(), "lighthouse-"));
const [house, browser] = await Promise.all([startWholeHouse(home), openBrowser()]);
try {
  await house.person("embed");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  let bytes = 0;
  for (const theme of ["light", "dark"] as const) {
    for (const screen of screens) bytes += await take(browser, screen, theme);
  }
  process.stdout.write(`${screens.length * 2} pictures, ${Math.round(bytes / 1000)} kB\n`);
  if (bytes > mostBytes) throw new Error("The pictures are larger than 3 MB together.");
} finally {
  await browser.close();
  await house.stop();
  rmSync(home, { recursive: true, force: true });
}

async function take(
  browser: Browser,
  { name, address, words, act }: Screen,
  theme: "light" | "dark",
): Promise<number> {
  const { page } = await visit(browser, house.url + address, {
    colorScheme: theme,
    reducedMotion: "reduce",
  });
  await seen(page, words);
  await act?.(page);
  await page.waitForLoadState("networkidle").catch(() => undefined);
  // Playwright writes no WebP; the browser itself does.
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: 82 });
  const picture = Buffer.from(data, "base64");
  writeFileSync(join(folder, `${name}-${theme}.webp`), picture);
  await page.context().close();
  return picture.length;
}
