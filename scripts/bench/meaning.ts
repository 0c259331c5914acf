import { execFile } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { isEnglish } from "../../src/text/language.ts";
import { lectern, runMeasured } from "./contestant.ts";
import { pages, queriesFrom, writeEnglishPart } from "./corpus.ts";
import { at, environment, median, program } from "./home.ts";
import { type Demand, megabytes, ms, type Section, table } from "./page.ts";
import { openSession, type Session } from "./stdio.ts";
import { peakOfAll } from "./usage.ts";

const title = "Meaning";

/** The longest that half of all calls of `query` may take, in milliseconds. */
const aims = { reranked: 600, plain: 60 };

/** What the models cost: to embed documents, to answer with them, and to follow a change. */
export async function measureMeaning(place: string, quick: boolean): Promise<Section> {
  if (!pages) {
    const text = "Left out: the pages do not lie beside this repository.";
    return { title, text, demands: demands() };
  }
  const folder = join(place, "meaning-pages");
  const home = join(place, "meaning");
  mkdirSync(home);
  writeEnglishPart(pages, folder, quick ? 40 : 240);
  await runMeasured(lectern(home), lectern(home).index(folder));
  const embedded = await embed(home);
  const session = await openSession(lectern(home));
  const queries = queriesFrom(folder, quick ? 15 : 40).filter(isEnglish);
  const plain = await latencies(session, queries, false);
  const reranked = await latencies(session, queries, true);
  const changes = await followChanges(session, folder, quick ? 3 : 9);
  const peak = peakOfAll(session.pid);
  await session.close();
  const rows = [
    ["`query` over MCP without re-ranking", ms(median(plain)), ms(at(plain, 0.95))],
    ["`query` over MCP with re-ranking", ms(median(reranked)), ms(at(reranked, 0.95))],
    ["from a changed file to its new vector", ms(median(changes)), ms(at(changes, 0.95))],
  ];
  const figures = { plain, reranked, changes, peak, rate: embedded.rate };
  return {
    title,
    text: `${embedded.documents} English pages, which \`lectern embed\` cut into ${embedded.chunks} chunks and embedded in ${(embedded.wall / 1000).toFixed(0)} s:
${embedded.rate.toFixed(0)} chunks a second, with the start of the program and of its model. Then one server,
${queries.length} queries of the pages' own words, one after the other; its model is loaded.

${table(["what", "p50", "p95"], rows)}

The server and the process of its models held ${peak ? megabytes(peak) : "–"} together at most.`,
    demands: demands(figures),
  };
}

async function embed(home: string) {
  const began = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [program, "embed", "--json"], {
    env: environment(home),
  });
  const wall = performance.now() - began;
  const { documents, chunks } = JSON.parse(stdout) as { documents: number; chunks: number };
  return { documents, chunks, wall, rate: (chunks / wall) * 1000 };
}

async function latencies(
  session: Session,
  queries: readonly string[],
  rerank: boolean,
): Promise<number[]> {
  const times: number[] = [];
  // What is asked first loads the model, and is not counted.
  for (const [place, query] of [queries[0] ?? "", ...queries].entries()) {
    const began = performance.now();
    const { notes } = await session.call("query", { query, rerank, limit: 10 });
    if (place > 0) times.push(performance.now() - began);
    if (notes) throw new Error(`Meaning was left out of "${query}": ${notes}`);
  }
  return times;
}

/** Adds a sentence that nobody else has to a page, and asks for it until it is found there. */
async function followChanges(session: Session, folder: string, count: number): Promise<number[]> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .sort();
  const times: number[] = [];
  for (const [number, file] of files.slice(0, count).entries()) {
    const sentence = `The ${colours[number % colours.length]} lighthouse keeper feeds ${number + 2} seagulls.`;
    const began = performance.now();
    appendFileSync(join(folder, file), `\n## Gulls ${number}\n\n${sentence}\n`);
    while (!(await isFirst(session, sentence, file))) {
      if (performance.now() - began > 60_000) throw new Error(`${file} was not embedded anew.`);
      await sleep(10);
    }
    times.push(performance.now() - began);
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

function demands(figures?: Figures): Demand[] {
  const within = (most: number, times: readonly number[] | undefined) => ({
    needed: `within ${most} ms`,
    measured: times && { figure: ms(median(times)), isReached: median(times) <= most },
  });
  const known = (figure: string | undefined) => ({
    needed: "measured",
    measured: figure === undefined ? undefined : { figure, isReached: true },
  });
  const { plain, reranked, changes, peak, rate } = figures ?? {};
  return [
    { what: "`query` over MCP without re-ranking, p50", ...within(aims.plain, plain) },
    { what: "`query` over MCP with re-ranking, p50", ...within(aims.reranked, reranked) },
    { what: "chunks embedded a second", ...known(rate?.toFixed(0)) },
    {
      what: "server and models, peak memory",
      ...known(peak === undefined ? undefined : megabytes(peak)),
    },
    {
      what: "from a changed file to its new vector, p50",
      ...known(changes && ms(median(changes))),
    },
  ];
}
