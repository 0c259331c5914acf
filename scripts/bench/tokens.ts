import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  documentIdOf,
  type JudgedSet,
  readJudgedSets,
  writeSetDocuments,
} from "../../src/commands/evaluation/judged-set.ts";
import { lectern, runTimed } from "./contestant.ts";
import { dataFolder } from "./corpus.ts";
import { median, quantile } from "./home.ts";
import { type Section, type Target, table } from "./page.ts";
import { openSession, type Session } from "./stdio.ts";

const shelves = ["search", "objects", "architecture", "qualitative", "repository"];

/** The maximum tokens of a tool list. */
const maxTokens = { all: 16_000, shelf: 5_000 };

/** The maximum number of documents that an agent reads. */
const maxReads = 3;

/** Estimates four bytes per token, like the tests of the token budget. */
const tokensOf = (value: unknown): number => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return Math.ceil(Buffer.byteLength(text) / 4);
};

/** The token cost of the tool list, and of answering a question. */
export async function measureTokens(tempFolder: string, quick: boolean): Promise<Section> {
  const home = join(tempFolder, "tokens-home");
  mkdirSync(home);
  const lists: [name: string, tools: number, tokens: number][] = [];
  for (const shelf of [...shelves, "all"]) {
    const chosen = shelf === "all" ? [] : ["--shelves", shelf];
    const session = await openSession({ ...lectern(home), server: ["mcp", ...chosen] });
    const result = await session.ask("tools/list", {});
    lists.push([shelf, Array.isArray(result.tools) ? result.tools.length : 0, tokensOf(result)]);
    await session.close();
  }
  const questionCosts = await measureQuestions(tempFolder, home, quick);
  return {
    title: "Token cost",
    text: [
      "The tool list that a client loads for an agent at its start; four bytes count as one token.",
      table(["shelf", "tools", "tokens"], lists),
      questionCosts.text,
    ].join("\n\n"),
    targets: [...lists.map(targetOf), ...questionCosts.targets],
  };
}

function targetOf([shelf, , tokens]: [string, number, number]): Target {
  const limit = shelf === "all" ? maxTokens.all : maxTokens.shelf;
  return {
    name: shelf === "all" ? "tokens of all tools" : `tokens of the ${shelf} tools`,
    required: `under ${limit.toLocaleString("en")}`,
    measured: { figure: tokens.toLocaleString("en"), isMet: tokens < limit },
  };
}

interface Reading {
  name: string;
  /** The `file` argument of `get` for a search result. */
  fileOf(hit: Hit): string;
}

interface Hit {
  file: string;
  line: number;
  endLine: number;
}

const readingPlans: readonly Reading[] = [
  {
    name: "`search`, then `get` of the passage",
    fileOf: ({ file, line, endLine }) => `${file}:${line}:${endLine - line + 1}`,
  },
  { name: "`search`, then `get` of the document", fileOf: ({ file }) => file },
];

async function measureQuestions(tempFolder: string, home: string, quick: boolean) {
  const folder = dataFolder("docs-qa");
  const [set] = folder ? readJudgedSets(folder, undefined) : [];
  if (!set) {
    return {
      text: "docs-qa was skipped: its data is not available.",
      targets: [],
    };
  }
  const documents = join(tempFolder, "tokens-documents");
  writeSetDocuments(set, documents);
  const session = await openSession(lectern(home));
  await runTimed(lectern(home), lectern(home).index(documents));
  const questions = set.queries.slice(0, quick ? 10 : set.queries.length);
  const rows: (string | number)[][] = [];
  for (const reading of readingPlans) {
    const answered: number[] = [];
    for (const { id, text } of questions) {
      const tokens = await tokensToAnswer(session, set, { id, text }, reading);
      if (tokens !== undefined) answered.push(tokens);
    }
    const mean = answered.reduce((sum, tokens) => sum + tokens, 0) / Math.max(answered.length, 1);
    const figures = [mean, median(answered), quantile(answered, 0.95)].map((figure) =>
      Math.round(figure).toLocaleString("en"),
    );
    rows.push([reading.name, `${answered.length} of ${questions.length}`, ...figures]);
  }
  await session.close();
  const whole = set.documents.reduce((sum, { text }) => sum + tokensOf(text), 0);
  return {
    text: `The cost of an answer on docs-qa: calls and results until a document with a judged answer has been read, of
the first ${maxReads} results. All ${set.documents.length} documents together are ${whole.toLocaleString("en")} tokens.

${table(["calls", "answered", "mean", "median", "p95"], rows)}`,
    targets: [],
  };
}

/** The tokens until the answer was read; undefined if it was not found. */
async function tokensToAnswer(
  session: Session,
  { judgements }: JudgedSet,
  { id, text }: { id: string; text: string },
  { fileOf }: Reading,
): Promise<number | undefined> {
  const search = { name: "search", arguments: { query: text, limit: 5 } };
  const found = await session.ask("tools/call", search);
  let tokens = tokensOf(search) + tokensRead(found);
  // The part of the tool's output schema that is used here.
  const { results } = found.structuredContent as { results: Hit[] };
  for (const hit of results.slice(0, maxReads)) {
    const get = { name: "get", arguments: { file: fileOf(hit) } };
    tokens += tokensOf(get) + tokensRead(await session.ask("tools/call", get));
    if (judgements.get(id)?.has(documentIdOf(hit.file))) return tokens;
  }
  return undefined;
}

/** Clients pass on either the text or the data; the larger is counted. */
const tokensRead = ({ content, structuredContent }: Record<string, unknown>): number =>
  Math.max(tokensOf(content), structuredContent ? tokensOf(structuredContent) : 0);
