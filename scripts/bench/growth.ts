import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { lectern, type Run, runMeasured } from "./contestant.ts";
import { pages, queriesFrom, writeCopy } from "./corpus.ts";
import { at, median } from "./home.ts";
import { kilobytes, megabytes, ms, type Section, table, times } from "./page.ts";
import { line } from "./plot.ts";
import { openSession } from "./stdio.ts";
import { openUsage } from "./usage.ts";

const title = "Growth";

/** What becomes of time and memory when there are many times as many documents. */
export async function measureGrowth(place: string, quick: boolean): Promise<Section> {
  if (!pages) {
    const text = "Left out: the pages do not lie beside this repository.";
    return { title, text, demands: [] };
  }
  const folder = join(place, "growth");
  const queries = queriesFrom(pages, 40);
  const grown: Grown[] = [];
  let copies = 0;
  for (const size of quick ? [1, 4] : [1, 4, 16, 64]) {
    while (copies < size) writeCopy(pages, folder, copies++);
    // What all others are compared with is measured several times.
    const rounds = size === 1 ? 3 : 1;
    grown.push(await measureSize(folder, join(place, `growth-${size}`), queries, rounds));
  }
  rmSync(folder, { recursive: true, force: true });
  const perDocument = ({ wall, documents }: Grown) => wall / documents;
  const rows = grown.map((now) => [
    now.documents,
    `${(now.wall / 1000).toFixed(1)} s`,
    ms(perDocument(now)),
    times(perDocument(now) / perDocument(grown[0] ?? now)),
    megabytes(now.peak),
    kilobytes(now.peak / now.documents),
    kilobytes(now.stored / now.documents),
    ms(now.update),
    ms(now.p50),
    ms(now.p95),
    megabytes(now.serverPeak),
  ]);
  const head = ["documents", "index", "per document", "to the first line", "peak memory"];
  const stored = ["per document", "stored per document", "nothing to update"];
  const served = ["search p50", "p95", "server's memory"];
  return {
    title,
    text: `The same pages again and again, with paragraphs in another order and a word of its own for each
copy; \`search\` over MCP with ${queries.length} queries from the pages.

${table([...head, ...stored, ...served], rows)}`,
    demands: [],
    plots: [
      line(
        "growth-index",
        "Time to index a document, by how many there are",
        grown.map((now) => ({
          x: now.documents,
          y: perDocument(now),
          shown: ms(perDocument(now)),
        })),
      ),
      line(
        "growth-search",
        "A search over MCP (p50), by how many documents there are",
        grown.map(({ documents, p50 }) => ({ x: documents, y: p50, shown: ms(p50) })),
      ),
    ],
  };
}

interface Grown {
  documents: number;
  wall: number;
  peak: number;
  update: number;
  stored: number;
  p50: number;
  p95: number;
  serverPeak: number;
}

async function measureSize(
  folder: string,
  home: string,
  queries: string[],
  rounds: number,
): Promise<Grown> {
  const program = lectern(home);
  const indexed: Run[] = [];
  for (let round = 0; round < rounds; round++) {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home);
    indexed.push(await runMeasured(program, program.index(folder)));
  }
  const updates: number[] = [];
  for (let round = 0; round < 3; round++) {
    updates.push((await runMeasured(program, program.update)).wall);
  }
  const usage = openUsage(program.env);
  const session = await openSession(program, usage.env);
  const found: number[] = [];
  for (let round = 0; round < 4; round++) {
    for (const query of queries) {
      const began = performance.now();
      await session.search(query);
      // The first round warms up.
      if (round > 0) found.push(performance.now() - began);
    }
  }
  await session.close();
  const documents = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const stored = readdirSync(home).filter((name) => name.startsWith("lectern.sqlite"));
  const bytes = stored.reduce((sum, name) => sum + statSync(join(home, name)).size, 0);
  rmSync(home, { recursive: true, force: true });
  return {
    documents: documents.filter((path) => path.endsWith(".md")).length,
    wall: median(indexed.map(({ wall }) => wall)),
    peak: median(indexed.map(({ peak }) => peak)),
    update: median(updates),
    stored: bytes,
    p50: median(found),
    p95: at(found, 0.95),
    serverPeak: usage.read().peak,
  };
}
