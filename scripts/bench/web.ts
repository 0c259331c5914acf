import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { chromiumPath, openBrowser } from "../../tests/journeys/browser.ts";
import { openHttp } from "./calls.ts";
import { lectern, runMeasured } from "./contestant.ts";
import { pages, queriesFrom, writeCopy } from "./corpus.ts";
import { median, quantile } from "./home.ts";
import { ms, type Section, type Target, table } from "./page.ts";

const title = "Web app";

/** Targets in milliseconds. */
const limits = { paint: 1_000, results: 100, open: 1_000 };

/** The number of documents that the targets apply to. */
const wantedDocuments = 15_000;

/** Fast typing: the next letter arrives while the search for the last one is still running. */
const keystrokeIntervalMs = 70;

/** The response times of opening the page, typing a query and opening results. */
export async function measureWeb(tempFolder: string, quick: boolean): Promise<Section> {
  if (!chromiumPath) {
    const text = "Skipped: Chromium is not installed. Install it or set CHROMIUM_PATH.";
    return { title, text, targets: targets() };
  }
  const from = pages ?? resolve("sample");
  const folder = join(tempFolder, "web");
  const home = join(tempFolder, "web-home");
  mkdirSync(home);
  const documents = await indexCopies(from, folder, home, quick ? 2_500 : wantedDocuments);
  const server = await openHttp(home);
  const browser = await openBrowser();
  const paints = await firstPaints(browser, server.url, quick ? 5 : 15);
  const queries = queriesFrom(from, quick ? 10 : 40);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(server.url);
  const resultTimes: number[] = [];
  for (const query of queries) resultTimes.push(await typeAndWait(page, query));
  const openTimes = await measureOpening(page, quick ? 5 : 25);
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
  const row = (name: string, times: readonly number[]) => [
    name,
    times.length,
    ms(median(times)),
    ms(quantile(times, 0.95)),
    ms(Math.max(...times)),
  ];
  const rows = [
    row("first contentful paint", paints),
    row("from the last keystroke to the results", resultTimes),
    row("from Enter to the displayed document", openTimes),
  ];
  return {
    title,
    text: `Headless Chromium with ${documents} documents. Queries from the pages are typed with ${keystrokeIntervalMs} ms between letters.
Each time ends with the frame that shows the result.

${table(["metric", "samples", "p50", "p95", "slowest"], rows)}`,
    targets: targets({ paints, resultTimes, openTimes, documents }),
  };
}

/** Indexes copies of the pages as one collection until there are enough. */
async function indexCopies(
  from: string,
  folder: string,
  home: string,
  count: number,
): Promise<number> {
  const program = lectern(home);
  let documents = 0;
  for (let copy = 0; documents < count; copy++) documents += writeCopy(from, folder, copy);
  await runMeasured(program, program.index(folder));
  return documents;
}

/** Each sample uses a new browser context without a cache. */
async function firstPaints(browser: Browser, url: string, samples: number): Promise<number[]> {
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole("searchbox").waitFor();
    times.push(
      await page.evaluate(
        () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
      ),
    );
    await context.close();
  }
  return times;
}

/** Types a query and waits for the frame that shows the results of the whole query. */
async function typeAndWait(page: Page, query: string): Promise<number> {
  await page.getByRole("searchbox").fill("");
  await page.locator(".results").waitFor({ state: "detached" });
  const took = page.evaluate<number>(`(${untilAnswered})(${JSON.stringify(query)})`);
  await page.keyboard.type(query, { delay: keystrokeIntervalMs });
  return took;
}

/** Runs in the page. Results present in an animation frame are painted with it. */
const untilAnswered = `(query) => new Promise((resolve) => {
  let typed;
  const field = document.querySelector("#search");
  const onInput = () => { if (field.value === query) typed = performance.now(); };
  field.addEventListener("input", onInput);
  const check = () => {
    const answered = document.querySelector(".results")?.dataset.answers === query;
    if (typed === undefined || !answered) return requestAnimationFrame(check);
    field.removeEventListener("input", onInput);
    resolve(performance.now() - typed);
  };
  check();
})`;

/** Opens results one after the other with the keyboard. */
async function measureOpening(page: Page, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const link = page.locator(".result a").nth(index);
    if ((await link.count()) === 0) break;
    await link.focus();
    const started = performance.now();
    await page.keyboard.press("Enter");
    await page.locator("section.reader .text").waitFor();
    times.push(performance.now() - started);
    await page.keyboard.press("Escape");
    await page.locator("section.reader").waitFor({ state: "detached" });
  }
  return times;
}

interface Measured {
  paints: number[];
  resultTimes: number[];
  openTimes: number[];
  documents: number;
}

function targets(measured?: Measured): Target[] {
  const within = (times: readonly number[] | undefined, max: number) => {
    const slow = times && quantile(times, 0.95);
    return slow === undefined ? undefined : { figure: ms(slow), isMet: slow <= max };
  };
  const isFull = (measured?.documents ?? 0) >= wantedDocuments;
  const of = (times: readonly number[] | undefined) => (isFull ? times : undefined);
  return [
    {
      name: "first contentful paint with 15,000 documents, p95",
      required: `at most ${limits.paint} ms`,
      measured: within(of(measured?.paints), limits.paint),
    },
    {
      name: "from the last keystroke to the results with 15,000 documents, p95",
      required: `at most ${limits.results} ms`,
      measured: within(of(measured?.resultTimes), limits.results),
    },
    {
      name: "from Enter to the displayed document, p95",
      required: `at most ${limits.open} ms`,
      measured: within(of(measured?.openTimes), limits.open),
    },
  ];
}
