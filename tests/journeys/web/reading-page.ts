import { cpSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { writeReadingLibrary } from "../../fixtures/search/reading-library.ts";
import { openBrowser, type Visit, visit } from "../browser.ts";
import { freshHome, runProgram, type Served, sample, startServer } from "../program.ts";

export interface ReadingSetup {
  browser: Browser;
  server: Served;
  home: string;
  /** The folder of the collections. */
  library: string;
  /** Opens an address of the page. */
  open(path: string, options?: BrowserContextOptions): Promise<Visit>;
  close(): Promise<void>;
}

/**
 * A server with the sample's pages and `docs`, which contains every kind of content, and a browser.
 */
export async function openReadingSetup(
  collections: readonly string[],
  { prepare = () => undefined }: { prepare?: (library: string) => void } = {},
): Promise<ReadingSetup> {
  const home = freshHome();
  const library = join(home, "library");
  cpSync(sample, library, { recursive: true });
  writeReadingLibrary(join(library, "docs"));
  prepare(library);
  for (const name of collections) {
    const args = ["collection", "add", join(library, name), "--mask", "**/*.{md,txt}"];
    const { code, stderr } = await runProgram(args, { home });
    if (code !== 0) throw new Error(stderr);
  }
  const [server, browser] = await Promise.all([startServer(home), openBrowser()]);
  return {
    browser,
    server,
    home,
    library,
    open: (path, options) => visit(browser, server.url + path, options),
    async close() {
      await browser.close();
      await server.stop();
    },
  };
}
