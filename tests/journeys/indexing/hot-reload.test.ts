import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { showFigures } from "../figures.ts";
import { freshHome, runProgram, type Served, startServer } from "../program.ts";
import { makeStorm, outside, vocabulary } from "./folder-storm.ts";

/** Another storm each day would be a test that nobody can repeat; give one to look for more. */
const seed = Number(process.env.LECTERN_STORM ?? 20_261_115);

const settleMs = 2_000;

test(`[core.hot-reload.storm] after 10,000 file events, half of them in one burst, the index equals a freshly built one (seed ${seed})`, async () => {
  const top = homeOfTest();
  const folder = join(top, "notes");
  mkdirSync(folder);
  writeFileSync(join(top, outside), "# The same page\n\nzircon\n");
  const served = await serve(folder);
  const storm = makeStorm(folder, seed);
  let events = 0;
  const next = (count: number) => {
    for (let index = 0; index < count; index++) storm();
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
  // Few at a time are looked at one by one; so in the end no look at everything sets things right.
  for (let turn = 0; turn < 50; turn++) {
    next(4);
    await sleep(100 + ((turn * 13) % 80));
  }
  const last = performance.now();
  expect(events).toBe(10_000);
  await sleep(settleMs);
  const asked = performance.now() - last;
  const kept = await known(served);

  const fresh = await known(await serve(folder));
  expect(kept.documents).toEqual(fresh.documents);
  expect(kept.hits).toEqual(fresh.hits);
  for (const { file } of kept.documents.filter((_, index) => index % 10 === 0)) {
    const text = readFileSync(join(folder, file.slice("notes/".length)), "utf8");
    expect(await post(served, "get", { file })).toMatchObject({ document: { text } });
  }
  expect(kept.documents.length).toBeGreaterThan(50);
  expect(kept.hits.zircon).toEqual([]);
  showFigures(
    `${events} events; ${(asked / 1000).toFixed(1)} s after the last, ${kept.documents.length} documents are as in a fresh index.`,
  );
}, 60_000);

function homeOfTest(): string {
  const home = freshHome();
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** A server on a home of its own whose only collection is this folder, as it is now. */
async function serve(folder: string): Promise<Served> {
  const home = homeOfTest();
  const added = await runProgram(["collection", "add", folder, "--name", "notes"], { home });
  expect(added.code, added.stderr).toBe(0);
  const served = await startServer(home);
  onTestFinished(async () => {
    await served.stop();
  });
  return served;
}

interface Page {
  documents: { file: string; size: number; modified: string }[];
  next_cursor?: string;
}

interface Found {
  results: { file: string; docid: string; title: string }[];
}

/** All that a server tells of its documents: the list, and who is found by each word. */
async function known(served: Served) {
  const documents: Page["documents"] = [];
  for (let cursor = ""; ; ) {
    const answer = await fetch(`${served.url}/documents?limit=500${cursor}`);
    const page = (await answer.json()) as Page;
    documents.push(...page.documents);
    if (!page.next_cursor) break;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
  const hits: Record<string, string[]> = {};
  for (const query of [...vocabulary, "same page", "zircon"]) {
    const { results } = (await post(served, "search", { query, limit: 1_000 })) as Found;
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
