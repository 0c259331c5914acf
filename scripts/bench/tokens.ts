import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { idOfFile, type JudgedSet, setsIn, writeDocuments } from "../../src/commands/judged-set.ts";
import { lectern, runTimed } from "./contestant.ts";
import { dataFolder } from "./corpus.ts";
import { at, median } from "./home.ts";
import { type Demand, type Section, table } from "./page.ts";
import { openSession, type Session } from "./stdio.ts";

const shelves = ["search", "objects", "architecture", "qualitative", "repository"];

/** Most tokens of a list of tools, by what was asked for. */
const most = { all: 16_000, shelf: 5_000 };

/** The most documents that an agent reads before it gives up. */
const patience = 3;

/** Four bytes are a token, more or less; the tests of the budget count so too. */
const tokensOf = (value: unknown): number => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return Math.ceil(Buffer.byteLength(text) / 4);
};

/** What an agent pays: for the list of tools before its first act, and for an answer. */
export async function measureTokens(place: string, quick: boolean): Promise<Section> {
  const home = join(place, "tokens-home");
  mkdirSync(home);
  const lists: [name: string, tools: number, tokens: number][] = [];
  for (const shelf of [...shelves, "all"]) {
    const chosen = shelf === "all" ? [] : ["--shelves", shelf];
    const session = await openSession({ ...lectern(home), server: ["mcp", ...chosen] });
    const result = await session.ask("tools/list", {});
    lists.push([shelf, Array.isArray(result.tools) ? result.tools.length : 0, tokensOf(result)]);
    await session.close();
  }
  const asked = await measureQuestions(place, home, quick);
  return {
    title: "Tokens",
    text: [
      "What a list of tools costs an agent before its first act; four bytes count as a token.",
      table(["shelf", "tools", "tokens"], lists),
      asked.text,
    ].join("\n\n"),
    demands: [...lists.map(demandOf), ...asked.demands],
  };
}

function demandOf([shelf, , tokens]: [string, number, number]): Demand {
  const limit = shelf === "all" ? most.all : most.shelf;
  return {
    what: shelf === "all" ? "tokens of all tools" : `tokens of the tools of ${shelf}`,
    needed: `under ${limit.toLocaleString("en")}`,
    measured: { figure: tokens.toLocaleString("en"), isReached: tokens < limit },
  };
}

interface Reading {
  name: string;
  /** What `get` is asked for, by a result of `search`. */
  fileOf(hit: Hit): string;
}

interface Hit {
  file: string;
  line: number;
  endLine: number;
}

const readings: readonly Reading[] = [
  {
    name: "`search`, then `get` of the passage",
    fileOf: ({ file, line, endLine }) => `${file}:${line}:${endLine - line + 1}`,
  },
  { name: "`search`, then `get` of the document", fileOf: ({ file }) => file },
];

async function measureQuestions(place: string, home: string, quick: boolean) {
  const folder = dataFolder("docs-qa");
  const [set] = folder ? setsIn(folder, undefined) : [];
  if (!set) {
    return {
      text: "docs-qa was left out: its data does not lie beside this repository.",
      demands: [],
    };
  }
  const documents = join(place, "tokens-documents");
  writeDocuments(set, documents);
  const session = await openSession(lectern(home));
  await runTimed(lectern(home), lectern(home).index(documents));
  const questions = set.queries.slice(0, quick ? 10 : set.queries.length);
  const rows: (string | number)[][] = [];
  for (const reading of readings) {
    const answered: number[] = [];
    for (const { id, text } of questions) {
      const tokens = await tokensToAnswer(session, set, { id, text }, reading);
      if (tokens !== undefined) answered.push(tokens);
    }
    const mean = answered.reduce((sum, tokens) => sum + tokens, 0) / Math.max(answered.length, 1);
    const figures = [mean, median(answered), at(answered, 0.95)].map((figure) =>
      Math.round(figure).toLocaleString("en"),
    );
    rows.push([reading.name, `${answered.length} of ${questions.length}`, ...figures]);
  }
  await session.close();
  const whole = set.documents.reduce((sum, { text }) => sum + tokensOf(text), 0);
  return {
    text: `What an answer costs on docs-qa: questions, results and readings, until a document that people judged to
hold the answer was read, of the best ${patience}. All ${set.documents.length} documents together are ${whole.toLocaleString("en")} tokens.

${table(["an agent calls", "answered", "mean", "median", "95 of 100 within"], rows)}`,
    demands: [],
  };
}

/** Nothing where the answer was not among what was read. */
async function tokensToAnswer(
  session: Session,
  { judgements }: JudgedSet,
  { id, text }: { id: string; text: string },
  { fileOf }: Reading,
): Promise<number | undefined> {
  const search = { name: "search", arguments: { query: text, limit: 5 } };
  const found = await session.ask("tools/call", search);
  let tokens = tokensOf(search) + tokensRead(found);
  // The tool's own schema, as far as it is needed here.
  const { results } = found.structuredContent as { results: Hit[] };
  for (const hit of results.slice(0, patience)) {
    const get = { name: "get", arguments: { file: fileOf(hit) } };
    tokens += tokensOf(get) + tokensRead(await session.ask("tools/call", get));
    if (judgements.get(id)?.has(idOfFile(hit.file))) return tokens;
  }
  return undefined;
}

/** Clients hand on the text or the data; the larger of them is counted. */
const tokensRead = ({ content, structuredContent }: Record<string, unknown>): number =>
  Math.max(tokensOf(content), structuredContent ? tokensOf(structuredContent) : 0);
