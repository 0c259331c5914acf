import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { chromiumPath, openBrowser } from "../../tests/journeys/browser.ts";
import { openHttp } from "./calls.ts";
import { lectern, runMeasured } from "./contestant.ts";
import { pages, queriesFrom, writeCopy } from "./corpus.ts";
import { at, median } from "./home.ts";
import { type Demand, ms, type Section, table } from "./page.ts";

const title = "The page in a browser";

/** What was asked for, in milliseconds. */
const aims = { paint: 1_000, results: 100, open: 1_000 };

/** As many documents as the figures are asked for. */
const wantedDocuments = 15_000;

/** A fast typist; the next letter comes while the last is still looked for. */
const betweenLettersMs = 70;

/** What somebody waits for who opens the page, types and opens what is found. */
export async function measureWeb(place: string, quick: boolean): Promise<Section> {
  if (!chromiumPath) {
    const text = "Left out: no Chromium is installed. Install one, or name it in CHROMIUM_PATH.";
    return { title, text, demands: demands() };
  }
  const from = pages ?? resolve("sample");
  const folder = join(place, "web");
  const home = join(place, "web-home");
  mkdirSync(home);
  const documents = await fill(from, folder, home, quick ? 2_500 : wantedDocuments);
  const server = await openHttp(home);
  const browser = await openBrowser();
  const paints = await firstPaints(browser, server.url, quick ? 5 : 15);
  const queries = queriesFrom(from, quick ? 10 : 40);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(server.url);
  const typed: number[] = [];
  for (const query of queries) typed.push(await typeAndWait(page, query));
  const opened = await openings(page, quick ? 5 : 25);
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
  const row = (what: string, times: readonly number[]) => [
    what,
    times.length,
    ms(median(times)),
    ms(at(times, 0.95)),
    ms(Math.max(...times)),
  ];
  const rows = [
    row("first paint of the page", paints),
    row("from the last letter to the results", typed),
    row("from Enter to the text at its line", opened),
  ];
  return {
    title,
    text: `Headless Chromium on ${documents} documents. Queries from the pages are typed letter by letter, ${betweenLettersMs} ms
apart; what is measured ends with the frame that shows it.

${table(["what", "samples", "p50", "p95", "slowest"], rows)}`,
    demands: demands({ paints, typed, opened, documents }),
  };
}

/** Copies of the pages until there are enough, taken into one collection. */
async function fill(from: string, folder: string, home: string, wanted: number): Promise<number> {
  const program = lectern(home);
  let documents = 0;
  for (let copy = 0; documents < wanted; copy++) documents += writeCopy(from, folder, copy);
  await runMeasured(program, program.index(folder));
  return documents;
}

/** Each time in a window of its own, as somebody who has never been there. */
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

/** Types as a person does, and waits for the frame in which the results of the whole query stand. */
async function typeAndWait(page: Page, query: string): Promise<number> {
  await page.getByRole("searchbox").fill("");
  await page.locator(".results").waitFor({ state: "detached" });
  const took = page.evaluate<number>(`(${untilAnswered})(${JSON.stringify(query)})`);
  await page.keyboard.type(query, { delay: betweenLettersMs });
  return took;
}

/** Runs in the page: what is there when a frame is made is painted with it. */
const untilAnswered = `(query) => new Promise((resolve) => {
  let typed;
  const field = document.querySelector("#search");
  const hear = () => { if (field.value === query) typed = performance.now(); };
  field.addEventListener("input", hear);
  const look = () => {
    const answered = document.querySelector(".results")?.dataset.answers === query;
    if (typed === undefined || !answered) return requestAnimationFrame(look);
    field.removeEventListener("input", hear);
    resolve(performance.now() - typed);
  };
  look();
})`;

/** Opens one result after the other from the keyboard. */
async function openings(page: Page, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let place = 0; place < count; place++) {
    const link = page.locator(".result a").nth(place);
    if ((await link.count()) === 0) break;
    await link.focus();
    const began = performance.now();
    await page.keyboard.press("Enter");
    await page.locator("section.reader .text").waitFor();
    times.push(performance.now() - began);
    await page.keyboard.press("Escape");
    await page.locator("section.reader").waitFor({ state: "detached" });
  }
  return times;
}

interface Measured {
  paints: number[];
  typed: number[];
  opened: number[];
  documents: number;
}

function demands(measured?: Measured): Demand[] {
  const within = (times: readonly number[] | undefined, most: number) => {
    const slow = times && at(times, 0.95);
    return slow === undefined ? undefined : { figure: ms(slow), isReached: slow <= most };
  };
  const isFull = (measured?.documents ?? 0) >= wantedDocuments;
  const of = (times: readonly number[] | undefined) => (isFull ? times : undefined);
  return [
    {
      what: "first paint of the page on 15,000 documents, p95",
      needed: `within ${aims.paint} ms`,
      measured: within(of(measured?.paints), aims.paint),
    },
    {
      what: "from the last letter to the results on 15,000 documents, p95",
      needed: `within ${aims.results} ms`,
      measured: within(of(measured?.typed), aims.results),
    },
    {
      what: "from Enter to the text at its line, p95",
      needed: `within ${aims.open} ms`,
      measured: within(of(measured?.opened), aims.open),
    },
  ];
}
