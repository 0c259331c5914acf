import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { lectern, type Run, runMeasured } from "./contestant.ts";
import { pages, queriesFrom, writeCopy } from "./corpus.ts";
import { median, quantile } from "./home.ts";
import { kilobytes, megabytes, ms, type Section, table, times } from "./page.ts";
import { line } from "./plot.ts";
import { openSession } from "./stdio.ts";
import { openUsage } from "./usage.ts";

const title = "Scaling";

/** How time and memory grow with the number of documents. */
export async function measureGrowth(tempFolder: string, quick: boolean): Promise<Section> {
  if (!pages) {
    const text = "Skipped: the documentation pages are not available.";
    return { title, text, targets: [] };
  }
  const folder = join(tempFolder, "growth");
  const queries = queriesFrom(pages, 40);
  const sizes: Grown[] = [];
  let copies = 0;
  for (const size of quick ? [1, 4] : [1, 4, 16, 64]) {
    while (copies < size) writeCopy(pages, folder, copies++);
    // The baseline of the ratios is measured several times.
    const rounds = size === 1 ? 3 : 1;
    sizes.push(await measureSize(folder, join(tempFolder, `growth-${size}`), queries, rounds));
  }
  rmSync(folder, { recursive: true, force: true });
  const perDocument = ({ wall, documents }: Grown) => wall / documents;
  const rows = sizes.map((now) => [
    now.documents,
    `${(now.wall / 1000).toFixed(1)} s`,
    ms(perDocument(now)),
    times(perDocument(now) / perDocument(sizes[0] ?? now)),
    megabytes(now.peak),
    kilobytes(now.peak / now.documents),
    kilobytes(now.stored / now.documents),
    ms(now.update),
    ms(now.p50),
    ms(now.p95),
    megabytes(now.serverPeak),
  ]);
  const head = ["documents", "index", "per document", "relative to the first row", "peak memory"];
  const stored = ["memory per document", "disk per document", "`update` without changes"];
  const served = ["search p50", "p95", "server memory"];
  return {
    title,
    text: `Copies of the same pages, each with shuffled paragraphs and a unique word; \`search\` over MCP with
${queries.length} queries from the pages.

${table([...head, ...stored, ...served], rows)}`,
    targets: [],
    plots: [
      line(
        "growth-index",
        "Indexing time per document, by number of documents",
        sizes.map((now) => ({
          x: now.documents,
          y: perDocument(now),
          label: ms(perDocument(now)),
        })),
      ),
      line(
        "growth-search",
        "Search over MCP (p50), by number of documents",
        sizes.map(({ documents, p50 }) => ({ x: documents, y: p50, label: ms(p50) })),
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
    updates.push((await runMeasured(program, program.update)).wallTime);
  }
  const usage = openUsage(program.env);
  const session = await openSession(program, usage.env);
  const latencies: number[] = [];
  for (let round = 0; round < 4; round++) {
    for (const query of queries) {
      const started = performance.now();
      await session.search(query);
      // The first round is a warm-up.
      if (round > 0) latencies.push(performance.now() - started);
    }
  }
  await session.close();
  const documents = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const stored = readdirSync(home).filter((name) => name.startsWith("lectern.sqlite"));
  const bytes = stored.reduce((sum, name) => sum + statSync(join(home, name)).size, 0);
  rmSync(home, { recursive: true, force: true });
  return {
    documents: documents.filter((path) => path.endsWith(".md")).length,
    wall: median(indexed.map(({ wallTime }) => wallTime)),
    peak: median(indexed.map(({ peak }) => peak)),
    update: median(updates),
    stored: bytes,
    p50: median(latencies),
    p95: quantile(latencies, 0.95),
    serverPeak: usage.read().peak,
  };
}
