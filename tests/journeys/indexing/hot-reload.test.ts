import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { showFigures } from "../figures.ts";
import { freshHome, runProgram, type Served, startServer } from "../program.ts";
import { makeStorm, outside, vocabulary } from "./folder-storm.ts";

/** The default seed is fixed, so that a failure can be reproduced. */
const seed = Number(process.env.LECTERN_STORM ?? 20_261_115);

test(`[core.hot-reload.storm] after 10,000 file events, half of them in one burst, the index equals a freshly built one (seed ${seed})`, async () => {
  const tempFolder = createHome();
  const folder = join(tempFolder, "notes");
  mkdirSync(folder);
  writeFileSync(join(tempFolder, outside), "# The same page\n\nzircon\n");
  const server = await startTestServer(folder);
  const nextEvent = makeStorm(folder, seed);
  let events = 0;
  const next = (count: number) => {
    for (let index = 0; index < count; index++) nextEvent();
    events += count;
  };
  for (let turn = 0; turn < 100; turn++) {
    next(24);
    await sleep((turn * 7) % 60);
  }
  next(5_000);
  for (let turn = 0; turn < 200; turn++) {
    next(12);
    await sleep((turn * 11) % 40);
  }
  // A few events at a time are processed one by one, so no full scan can correct errors at the end.
  for (let turn = 0; turn < 50; turn++) {
    next(4);
    await sleep(100 + ((turn * 13) % 80));
  }
  const last = performance.now();
  expect(events).toBe(10_000);
  const expected = await indexState(await startTestServer(folder));
  const currentDocuments = async () => (await indexState(server)).documents;
  await expect.poll(currentDocuments, { interval: 500 }).toEqual(expected.documents);
  const elapsedMs = performance.now() - last;
  const actual = await indexState(server);
  expect(actual.documents).toEqual(expected.documents);
  expect(actual.hits).toEqual(expected.hits);
  for (const { file } of actual.documents.filter((_, index) => index % 10 === 0)) {
    const text = readFileSync(join(folder, file.slice("notes/".length)), "utf8");
    expect(await post(server, "get", { file })).toMatchObject({ document: { text } });
  }
  expect(actual.documents.length).toBeGreaterThan(50);
  expect(actual.hits.zircon).toEqual([]);
  showFigures(
    `${events} events; ${(elapsedMs / 1000).toFixed(1)} s after the last, ${actual.documents.length} documents are the same as in a new index.`,
  );
});

function createHome(): string {
  const home = freshHome();
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** Starts a server on a new home, with this folder as its only collection. */
async function startTestServer(folder: string): Promise<Served> {
  const home = createHome();
  const added = await runProgram(["collection", "add", folder, "--name", "notes"], { home });
  expect(added.code, added.stderr).toBe(0);
  const server = await startServer(home);
  onTestFinished(async () => {
    await server.stop();
  });
  return server;
}

interface Page {
  documents: { file: string; size: number; modified: string }[];
  next_cursor?: string;
}

interface Found {
  results: { file: string; docid: string; title: string }[];
}

/** The list of documents, and the search results for each word. */
async function indexState(server: Served) {
  const documents: Page["documents"] = [];
  for (let cursor = ""; ; ) {
    const answer = await fetch(`${server.url}/documents?limit=500${cursor}`);
    const page = (await answer.json()) as Page;
    documents.push(...page.documents);
    if (!page.next_cursor) break;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
  const hits: Record<string, string[]> = {};
  for (const query of [...vocabulary, "same page", "zircon"]) {
    const { results } = (await post(server, "search", { query, limit: 1_000 })) as Found;
    hits[query] = results.map(({ file, docid, title }) => `${file} ${docid} ${title}`).sort();
  }
  return { documents, hits };
}

async function post({ url }: Served, route: string, input: object): Promise<unknown> {
  const answer = await fetch(`${url}/${route}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  return answer.json();
}
