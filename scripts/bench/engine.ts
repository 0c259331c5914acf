/**
 * Measures one keyword search engine in a separate process: reads the pages of a folder, indexes them
 * in memory and runs queries. Started by `engines.ts`, which parses the printed line.
 */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { openMemoryIndex } from "../../src/kernel/index/memory-index.ts";
import { documentTitle, splitSections } from "../../src/text/markdown/headings.ts";
import { parseQuery } from "../../src/text/search/query.ts";
import { splitLines } from "../../src/text/strings/lines.ts";
import { filesIn, type Question } from "./corpus.ts";
import type { EngineFigures } from "./engines.ts";

interface Page {
  id: number;
  path: string;
  title: string;
  text: string;
}

/** Returns the ids of the ten best pages. */
type Search = (query: string) => Promise<number[]> | number[];

const engines: Record<string, (pages: Page[], packages: string) => Promise<Search> | Search> = {
  lectern(pages) {
    const index = openMemoryIndex();
    index.change(({ put }) => {
      for (const { id, path, title, text } of pages) {
        put(id + 1, { title, path, passages: splitSections(splitLines(text)) });
      }
    });
    return (query) =>
      index.match(parseQuery(query), { limit: 10 }).map(({ document }) => document - 1);
  },
  minisearch(pages, packages) {
    const MiniSearch = requireFrom(packages)("minisearch");
    const engine = new MiniSearch({ fields: ["title", "path", "text"] });
    engine.addAll(pages);
    return (query) =>
      engine
        .search(query)
        .slice(0, 10)
        .map(({ id }: { id: number }) => id);
  },
  async orama(pages, packages) {
    const { create, insertMultiple, search } = requireFrom(packages)("@orama/orama");
    const engine = create({ schema: { title: "string", path: "string", text: "string" } });
    await insertMultiple(
      engine,
      pages.map(({ id, ...page }) => ({ ...page, id: String(id) })),
    );
    return async (term) => {
      const { hits } = await search(engine, { term, limit: 10 });
      return hits.map(({ id }: { id: string }) => Number(id));
    };
  },
};

const requireFrom = (packages: string) => createRequire(join(packages, "package.json"));

const [name = "", folder = "", packages = "", questions = "", rounds = "1"] = process.argv.slice(2);
const questionList: Question[] = JSON.parse(readFileSync(questions, "utf8"));
const started = performance.now();
const texts = filesIn(folder).map((path) => ({
  path,
  text: readFileSync(join(folder, path), "utf8"),
}));
const read = performance.now() - started;
const pages = texts.map(({ path, text }, id) => ({
  id,
  path,
  text,
  title: documentTitle(splitLines(text), path),
}));
const began = performance.now();
const search = await engines[name]?.(pages, packages);
if (!search) throw new Error(`There is no engine ${name}.`);
const index = performance.now() - began;
const times: number[] = [];
let foundCount = 0;
for (let round = 0; round <= Number(rounds); round++) {
  for (const { query, page } of questionList) {
    const queriesStarted = performance.now();
    const hits = await search(query);
    // The first round is a warm-up.
    if (round > 0) times.push(performance.now() - queriesStarted);
    else if (hits.some((id) => pages[id]?.path === page)) foundCount++;
  }
}
const figures: Omit<EngineFigures, "peak"> = { read, index, times, foundCount };
process.stdout.write(`${JSON.stringify(figures)}\n`);
