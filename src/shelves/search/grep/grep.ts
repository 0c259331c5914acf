import * as z from "zod";
import type { Call } from "../../../kernel/call.ts";
import { invalid } from "../../../kernel/failure.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { type Note, notesShape, outputNotes } from "../../../kernel/operations/note.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { createLineSearch, type LineSearch } from "../../../text/patterns/line-search.ts";
import { InvalidPatternError } from "../../../text/patterns/regex-parser.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { requireCollection } from "../documents/collections.ts";
import { initialScanMessage, waitForInitialScan } from "../indexing/initial-scan.ts";
import { parseGlobParameter } from "../query/filters.ts";
import type { SearchState } from "../state.ts";
import { type DocumentHit, grepDocuments, type SearchGaps } from "./grep-documents.ts";

const operation = operationsFor<SearchState>();

const GrepHit = z.object({
  file: z.string(),
  line: z.int(),
  column: z.int(),
  text: z.string(),
  before: z.array(z.string()).optional(),
  after: z.array(z.string()).optional(),
});

const stopReasons = ["limit", "deadline"] as const;

const contextInput = z.int().min(0).max(50);

const grep = operation({
  name: "grep",
  title: "Search lines",
  summary: "Find the lines that match a regular expression or, with fixed, contain a literal text.",
  input: z.object({
    pattern: z
      .string()
      .min(1)
      .max(500)
      .meta({ help: "A regular expression, or literal text with -F" }),
    fixed: z.boolean().default(false).meta({
      help: "The pattern is text, not a regular expression",
      flag: "fixed-strings",
      short: "F",
    }),
    ignoreCase: z.boolean().default(false).meta({ help: "Ignore case", short: "i" }),
    filesOnly: z
      .boolean()
      .default(false)
      .describe("Only the first match of each file")
      .meta({ flag: "files-with-matches", short: "l" }),
    context: contextInput.default(0).meta({ help: "Lines around each match", short: "C" }),
    beforeContext: contextInput.optional().meta({ help: "Lines before each match", short: "B" }),
    afterContext: contextInput.optional().meta({ help: "Lines after each match", short: "A" }),
    collections: z
      .array(z.string())
      .max(100)
      .optional()
      .meta({ help: "Only these collections", flag: "collection", short: "c", separator: "," }),
    path: z.string().min(1).max(1_000).optional().describe("Glob, such as `journal/2026-*`"),
    limit: z
      .int()
      .min(1)
      .max(10_000)
      .default(200)
      .meta({
        help: "Maximum matches",
        short: "n",
        shell: { default: () => 10_000, label: "10000" },
      }),
  }),
  output: z
    .object({
      results: z.array(GrepHit),
      matches: z.int().describe("Number of matching lines found"),
      documents: z.int().describe("Number of documents searched"),
      stopped: z.enum(stopReasons).optional().describe("Set if not all documents were searched"),
      ...notesShape,
    })
    .meta({ json: "results", documents: true }),
  effect: "reads",
  expose: { mcp: true, isExtension: true, http: "POST /grep", cli: "grep <pattern>" },
  example: { pattern: "logger", limit: 2 },

  isHeavy: async (_input, { documents, store }) =>
    (await store.run(documents.count())) > maxDocumentsInProcess,
  async run(input, state, call) {
    const roots = input.collections;
    for (const root of roots ?? []) requireCollection(state.config.read(), root);
    const search = createSearch(input.pattern, input.fixed, input.ignoreCase);
    const unscanned = await waitForInitialScan(state, call, roots);
    if (unscanned.length > 0) call.log("warn", initialScanMessage(unscanned));
    const results: DocumentHit[] = [];
    let matches = 0;
    const { documents, stopped, gaps } = await grepDocuments(
      state,
      {
        search,
        roots,
        isWanted: input.path === undefined ? undefined : parseGlobParameter("path", input.path),
        before: input.beforeContext ?? input.context,
        after: input.afterContext ?? input.context,
        limit: input.limit,
        perDocument: input.filesOnly ? 1 : input.limit,
        deadlineMs: deadlineOf(call),
      },
      call,
      async (hits) => {
        const isFirst = matches === 0;
        matches += hits.length;
        if (call.emit) await call.emit([textBlock(formatHits(hits, input, isFirst))]);
        else results.push(...hits);
      },
    );
    return {
      ...{ results, matches, documents },
      ...(stopped && { stopped }),
      ...outputNotes(gapNotes(gaps)),
    };
  },

  present({ results, matches, documents, stopped }, input) {
    const parts = [
      ...(results.length > 0 ? [formatHits(results, input, true)] : []),
      ...(matches === 0 ? ["No matches."] : []),
      ...(stopped ? [stopNote(stopped, matches, documents)] : []),
    ];
    return parts.length > 0 ? [textBlock(parts.join("\n"))] : [];
  },
});

export const grepOperations = [grep];

/** With more documents, a server searches in another process. */
const maxDocumentsInProcess = 300;

/** People at a shell stop a search themselves, with Ctrl+C. */
const deadlineOf = ({ actor }: Call): number =>
  actor.surface === "cli" ? Number.POSITIVE_INFINITY : 10_000;

function createSearch(pattern: string, isLiteral: boolean, ignoreCase: boolean): LineSearch {
  try {
    return createLineSearch(pattern, { isLiteral, ignoreCase });
  } catch (error) {
    if (!(error instanceof InvalidPatternError)) throw error;
    throw invalid(`Invalid parameter 'pattern': ${error.message}.`, [
      "To look for this text itself, give `fixed` (-F).",
    ]);
  }
}

interface Presentation {
  filesOnly: boolean;
  context: number;
  beforeContext?: number | undefined;
  afterContext?: number | undefined;
}

/** `file:12:5: text` for a match, `file-13- text` around it, `--` between separate parts. */
function formatHits(
  hits: readonly DocumentHit[],
  { filesOnly, context, beforeContext, afterContext }: Presentation,
  isFirst: boolean,
): string {
  if (filesOnly) return hits.map(({ file }) => toPrintable(file)).join("\n");
  const hasContext = (beforeContext ?? context) + (afterContext ?? context) > 0;
  let shown: { file: string; line: number } | undefined;
  const lines = hits.flatMap((hit, index) => {
    const { file, line, column, text, before = [], after = [] } = hit;
    const first = line - before.length;
    const isAdjacent = shown?.file === file && shown.line + 1 === first;
    const isSeparated = hasContext && !isAdjacent && !(isFirst && index === 0);
    shown = { file, line: line + after.length };
    const around = (text: string, number: number) => `${file}-${number}- ${text}`;
    return [
      ...(isSeparated ? ["--"] : []),
      ...before.map((text, at) => around(text, first + at)),
      `${file}:${line}:${column}: ${text}`,
      ...after.map((text, at) => around(text, line + 1 + at)),
    ];
  });
  return lines.map(toPrintable).join("\n");
}

function gapNotes({ unreadable, reason, cutLineIn }: SearchGaps): Note[] {
  const others = unreadable > 1 ? ", …" : "";
  const messages = [
    ...(reason === undefined
      ? []
      : [`${pluralise(unreadable, "document")} could not be searched: ${reason}${others}.`]),
    ...(cutLineIn === undefined
      ? []
      : [
          `Only the start of very long lines was searched, as in ${toPrintable(cutLineIn)}. \`fixed\` (-F) finds text anywhere.`,
        ]),
  ];
  return messages.map((message) => ({ kind: "incomplete", message }));
}

const stopNote = (stopped: (typeof stopReasons)[number], matches: number, documents: number) =>
  stopped === "limit"
    ? `Stopped at the limit of ${matches === 1 ? "one match" : `${matches} matches`}. There may be more: narrow the search or raise the limit.`
    : `Stopped for time after ${pluralise(documents, "document")}. There may be more: narrow the search by collection or path.`;
