import * as z from "zod";
import { type Block, resource, text } from "../../../kernel/block.ts";
import { listCap } from "../../../kernel/bounded.ts";
import { Failure, notFound } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { givenGlob } from "../filters.ts";
import { firstReading, notYet, stillRead } from "../first-reading.ts";
import { type Found, lookUp } from "../lookup.ts";
import type { SearchState } from "../state.ts";
import { documentAt, type TitledDocument } from "../storage.ts";
import { DocumentContent, partOf } from "./retrieval.ts";

const operation = operationsOn<SearchState>();

/** A document, cut after so many lines; or a line that says why there is none. */
const Item = z.union([
  DocumentContent.extend({ truncated_lines: z.int().optional() }).meta({ verbatim: true }),
  z.object({
    type: z.literal("text"),
    text: z.string(),
    file: z.string(),
    kilobytes: z.int(),
  }),
]);

type Item = z.output<typeof Item>;

const multiGet = operation({
  name: "multi_get",
  title: "Get several documents",
  summary:
    "Read several documents: by glob (journals/2025-05*.md) or by a comma-separated list. Large files are skipped and named; get reads them.",
  input: z.object({
    pattern: z.string().trim().min(1).max(4_096).describe("A glob, or names by comma"),
    maxLines: z.int().min(1).optional().describe("Most lines of each file").meta({ short: "l" }),
    maxBytes: z.int().min(1).default(10_240).describe("Skip files that are larger"),
    lineNumbers: z.boolean().default(false).describe("Put `N: ` before each line"),
  }),
  output: z
    .object({ results: z.array(Item), errors: z.array(z.string()).optional() })
    .meta({ json: "results" }),
  effect: "reads",
  expose: { mcp: "content", http: "POST /multi_get", cli: "multi-get <pattern>" },
  example: { pattern: "notes/2026-*.md", maxLines: 3 },

  async run({ pattern, maxLines, maxBytes, lineNumbers }, state, call) {
    const now = isGlob(pattern) ? undefined : chosen(state, pattern);
    const isWhole = now !== undefined && now.errors.length === 0;
    const unread = isWhole ? [] : await firstReading(state, call);
    const { found, errors } = isWhole ? now : chosen(state, pattern);
    if (found.length === 0) {
      throw unread.length > 0
        ? notYet(unread)
        : notFound(`No files matched pattern: ${pattern}`, errors);
    }
    if (unread.length > 0) call.log("warn", stillRead(unread));
    const results = found.map((one) =>
      one.document.size > maxBytes
        ? skipped(one.document)
        : read(state, one, maxLines, lineNumbers),
    );
    return { results, ...(errors.length > 0 && { errors }) };
  },

  present({ results, errors = [] }, _input, reader) {
    const tooLarge = results.flatMap((item) =>
      "type" in item ? [`File too large: ${item.file} (skipped)`] : [],
    );
    const problems = [...errors, ...tooLarge];
    const first = problems.length > 0 ? [text(`Errors:\n${problems.join("\n")}`)] : [];
    return [
      ...first,
      ...results.map((item) => (reader === "agent" ? forAgent(item) : shown(item))),
    ];
  },
});

export const batchOperations = [multiGet];

/**
 * One name, since names may hold anything; else a glob where the pattern has a wildcard, and names
 * by comma where it has none. What is not found is told.
 */
function chosen(state: SearchState, pattern: string) {
  const named = documentNamed(state, pattern);
  if (named) return { found: [{ document: named }], errors: [] };
  if (isGlob(pattern)) return globbed(state, pattern);
  const found: Found[] = [];
  const errors: string[] = [];
  for (const name of pattern.split(",").filter((part) => part.trim() !== "")) {
    try {
      found.push(lookUp(state, name.trim()));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      errors.push(error.explanation.split("\n\n")[0] ?? error.message);
    }
  }
  return { found: found.slice(0, listCap), errors };
}

const isGlob = (pattern: string): boolean => /[*?{[]/.test(pattern);

/** The one document whose name this is, letter by letter. */
function documentNamed({ db }: SearchState, name: string): TitledDocument | undefined {
  const slash = name.indexOf("/");
  return slash > 0 ? documentAt(db, name.slice(0, slash), name.slice(slash + 1)) : undefined;
}

function globbed(state: SearchState, pattern: string) {
  const fits = givenGlob("pattern", pattern.replace(/^qmd:\/\//, ""));
  const files = state.documents.paths().filter((file) => {
    const path = file.slice(file.indexOf("/") + 1);
    return fits(file) || fits(path);
  });
  const more = files.length - listCap;
  return {
    found: files.slice(0, listCap).flatMap((file): Found[] => {
      const document = documentNamed(state, file);
      return document ? [{ document }] : [];
    }),
    errors: more > 0 ? [`${more} more files match; narrow the pattern.`] : [],
  };
}

function read(
  state: SearchState,
  found: Found,
  maxLines: number | undefined,
  lineNumbers: boolean,
): Item {
  const { content, more } = partOf(state, found, { first: 1, maxLines, lineNumbers });
  if (more === 0) return content;
  return { ...content, text: content.text + cutForPrograms(more), truncated_lines: more };
}

/** The founding document prints the mark of a cut, and the name of `get`, once for each reader. */
const cutForPrograms = (more: number): string => `\n\n[...truncated ${more} more lines]`;
const cutForAgents = (more: number): string => `\n\n[... truncated ${more} more lines]`;

function skipped({ root, path, size }: TitledDocument): Item {
  const file = `${root}/${path}`;
  const kilobytes = Math.max(1, Math.round(size / 1024));
  return { type: "text", text: skipNotice(file, kilobytes, "qmd get"), file, kilobytes };
}

const skipNotice = (file: string, kilobytes: number, get: string): string =>
  `[SKIPPED: ${file} - File too large (${kilobytes}KB). Use '${get}' with file="${file}" to retrieve.]`;

function forAgent(item: Item): Block {
  if ("type" in item) return text(skipNotice(item.file, item.kilobytes, "qmd_get"));
  const { truncated_lines: more, ...document } = item;
  if (more === undefined) return resource(document);
  const body = document.text.slice(0, -cutForPrograms(more).length);
  return resource({ ...document, text: body + cutForAgents(more) });
}

const shown = (item: Item): Block => ("type" in item ? text(item.text) : resource(item));
