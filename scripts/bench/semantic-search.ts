import { execFile } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { notesOf } from "../../src/kernel/operations/note.ts";
import { isEnglish } from "../../src/text/language/english.ts";
import { lectern, runMeasured } from "./contestant.ts";
import { pages, queriesFrom, writeEnglishPart } from "./corpus.ts";
import { environment, median, program, quantile } from "./home.ts";
import { megabytes, ms, type Section, type Target, table } from "./page.ts";
import { openSession, type Session } from "./stdio.ts";
import { peakOfAll } from "./usage.ts";

const title = "Semantic search";

/** The maximum p50 of `query`, in milliseconds. */
const limits = { reranked: 300, plain: 60 };

/** The minimum number of chunks embedded per second, on two processors. */
const minRate = 80;

/** The cost of the models: to embed documents, to run queries, and to update after a change. */
export async function measureSemanticSearch(tempFolder: string, quick: boolean): Promise<Section> {
  if (!pages) {
    const text = "Skipped: the documentation pages are not available.";
    return { title, text, targets: targets() };
  }
  const folder = join(tempFolder, "meaning-pages");
  const home = join(tempFolder, "meaning");
  mkdirSync(home);
  writeEnglishPart(pages, folder, quick ? 40 : 240);
  await runMeasured(lectern(home), lectern(home).index(folder));
  const embedded = await embed(home);
  const session = await openSession(lectern(home));
  const queries = queriesFrom(folder, quick ? 15 : 40).filter(isEnglish);
  const plain = await latencies(session, queries, false);
  const reranked = await latencies(session, queries, true);
  const changes = await measureUpdates(session, folder, quick ? 3 : 9);
  const peak = peakOfAll(session.pid);
  await session.close();
  const rows = [
    ["`query` over MCP without re-ranking", ms(median(plain)), ms(quantile(plain, 0.95))],
    ["`query` over MCP with re-ranking", ms(median(reranked)), ms(quantile(reranked, 0.95))],
    ["from a file change to its new vector", ms(median(changes)), ms(quantile(changes, 0.95))],
  ];
  const figures = { plain, reranked, changes, peak, rate: embedded.rate };
  return {
    title,
    text: `\`lectern embed\` on ${availableParallelism()} processors split ${embedded.documents} English pages into ${embedded.chunks} chunks and embedded them in ${(embedded.wallTime / 1000).toFixed(0)} s:
${embedded.rate.toFixed(0)} chunks per second, including the start of the program and loading the model. Then one server with
a loaded model ran ${queries.length} sequential queries of words from the pages.

${table(["metric", "p50", "p95"], rows)}

Peak memory of the server and its model process together: ${peak ? megabytes(peak) : "–"}.`,
    targets: targets(figures),
  };
}

async function embed(home: string) {
  const started = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [program, "embed", "--json"], {
    env: environment(home),
  });
  const wallTime = performance.now() - started;
  const { documents, chunks } = JSON.parse(stdout) as { documents: number; chunks: number };
  return { documents, chunks, wallTime, rate: (chunks / wallTime) * 1000 };
}

async function latencies(
  session: Session,
  queries: readonly string[],
  rerank: boolean,
): Promise<number[]> {
  const times: number[] = [];
  // The first query loads the model and is not counted.
  for (const [index, query] of [queries[0] ?? "", ...queries].entries()) {
    const started = performance.now();
    const answer = await session.call("query", { query, rerank, limit: 10 });
    if (index > 0) times.push(performance.now() - started);
    const skipped = notesOf(answer).filter(({ kind }) => kind === "model" || kind === "language");
    const [first] = skipped;
    if (first) throw new Error(`Semantic search was skipped for "${query}": ${first.message}`);
  }
  return times;
}

/** Adds a unique sentence to a page and searches for it until it is found there. */
async function measureUpdates(session: Session, folder: string, count: number): Promise<number[]> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .sort();
  const times: number[] = [];
  for (const [number, file] of files.slice(0, count).entries()) {
    const sentence = `The ${colours[number % colours.length]} lighthouse keeper feeds ${number + 2} seagulls.`;
    const started = performance.now();
    appendFileSync(join(folder, file), `\n## Gulls ${number}\n\n${sentence}\n`);
    while (!(await isFirst(session, sentence, file))) {
      if (performance.now() - started > 60_000)
        throw new Error(`The change of ${file} was not embedded.`);
      await sleep(10);
    }
    times.push(performance.now() - started);
  }
  return times;
}

const colours = ["red", "green", "blue", "yellow", "white"];

async function isFirst(session: Session, query: string, file: string): Promise<boolean> {
  const { results } = await session.call("vsearch", { query, limit: 1, minScore: 0 });
  const [best] = results as { file: string; snippet: string }[];
  return best?.file === `docs/${file}` && best.snippet.includes(query);
}

interface Figures {
  plain: number[];
  reranked: number[];
  changes: number[];
  peak: number | undefined;
  rate: number;
}

function targets(figures?: Figures): Target[] {
  const within = (max: number, times: readonly number[] | undefined) => ({
    required: `at most ${max} ms`,
    measured: times && { figure: ms(median(times)), isMet: median(times) <= max },
  });
  const targetFor = (figure: string | undefined) => ({
    required: "to be measured",
    measured: figure === undefined ? undefined : { figure, isMet: true },
  });
  const { plain, reranked, changes, peak, rate } = figures ?? {};
  return [
    { name: "`query` over MCP without re-ranking, p50", ...within(limits.plain, plain) },
    { name: "`query` over MCP with re-ranking, p50", ...within(limits.reranked, reranked) },
    {
      name: "chunks embedded per second",
      required: `at least ${minRate}`,
      measured:
        rate === undefined ? undefined : { figure: rate.toFixed(0), isMet: rate >= minRate },
    },
    {
      name: "server and models, peak memory",
      ...targetFor(peak === undefined ? undefined : megabytes(peak)),
    },
    {
      name: "from a file change to its new vector, p50",
      ...targetFor(changes && ms(median(changes))),
    },
  ];
}
