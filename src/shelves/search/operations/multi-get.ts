import * as z from "zod";
import { Failure, notFound } from "../../../kernel/failure.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { maxListItems } from "../../../kernel/operations/list-page.ts";
import {
  type OutputBlock,
  resourceBlock,
  textBlock,
} from "../../../kernel/operations/output-block.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { type LookupResult, lookUpDocument } from "../documents/lookup.ts";
import { initialScanMessage, notYetScanned, waitForInitialScan } from "../indexing/initial-scan.ts";
import { parseGlobParameter } from "../query/filters.ts";
import type { SearchState } from "../state.ts";
import { findDocumentAt, type TitledDocument } from "../storage.ts";
import { DocumentContent, readPart } from "./get.ts";

const operation = operationsFor<SearchState>();

/** A document, possibly truncated, or a message about a skipped file. */
const MultiGetItem = z.union([
  DocumentContent.extend({ truncated_lines: z.int().optional() }).meta({ verbatim: true }),
  z.object({
    type: z.literal("text"),
    text: z.string(),
    file: z.string(),
    kilobytes: z.int(),
  }),
]);

type MultiGetItem = z.output<typeof MultiGetItem>;

const multiGet = operation({
  name: "multi_get",
  title: "Get several documents",
  summary:
    "Read several documents by glob (journals/2025-05*.md) or comma-separated list. Large files are skipped and listed; read them with get.",
  input: z.object({
    pattern: z.string().trim().min(1).max(4_096).describe("A glob or comma-separated names"),
    maxLines: z.int().min(1).optional().describe("Maximum lines per file").meta({ short: "l" }),
    maxBytes: z.int().min(1).default(10_240).describe("Skip larger files"),
    lineNumbers: z.boolean().default(false).describe("Prefix each line with `N: `"),
  }),
  output: z
    .object({ results: z.array(MultiGetItem), errors: z.array(z.string()).optional() })
    .meta({ json: "results", documents: true }),
  effect: "reads",
  expose: { mcp: "content", http: "POST /multi_get", cli: "multi-get <pattern>" },
  example: { pattern: "notes/2026-*.md", maxLines: 3 },

  async run({ pattern, maxLines, maxBytes, lineNumbers }, state, call) {
    const { store } = state;
    const select = () => store.run(selectDocuments(state, pattern));
    const selected = isGlob(pattern) ? undefined : await select();
    const isComplete = selected !== undefined && selected.errors.length === 0;
    const unscanned = isComplete ? [] : await waitForInitialScan(state, call);
    const { found, errors } = isComplete ? selected : await select();
    if (found.length === 0) {
      throw unscanned.length > 0
        ? notYetScanned(unscanned)
        : notFound(`No files matched pattern: ${pattern}`, errors);
    }
    if (unscanned.length > 0) call.log("warn", initialScanMessage(unscanned));
    const results = await store.run(
      (function* () {
        const items: MultiGetItem[] = [];
        for (const result of found) {
          items.push(
            result.document.size > maxBytes
              ? toSkippedItem(result.document)
              : yield* readItem(state, result, maxLines, lineNumbers),
          );
        }
        return items;
      })(),
    );
    return { results, ...(errors.length > 0 && { errors }) };
  },

  present({ results, errors = [] }, _input, reader) {
    const tooLarge = results.flatMap((item) =>
      "type" in item ? [`File too large: ${item.file} (skipped)`] : [],
    );
    const problems = [...errors, ...tooLarge];
    const first = problems.length > 0 ? [textBlock(`Errors:\n${problems.join("\n")}`)] : [];
    return [
      ...first,
      ...results.flatMap((item) => {
        if (reader === "agent") return [toAgentBlock(item)];
        return reader === "person" ? [fileHeader(item), toBlock(item)] : [toBlock(item)];
      }),
    ];
  },
});

export const multiGetOperations = [multiGet];

interface Selection {
  found: LookupResult[];
  errors: string[];
}

/**
 * Selects by exact name first, because names may contain commas and wildcards; then by glob if there
 * is a wildcard, and otherwise by a comma-separated list. Names that are not found become errors.
 */
function* selectDocuments(state: SearchState, pattern: string): Steps<Selection> {
  const named = yield* findExactDocument(pattern);
  if (named) return { found: [{ document: named }], errors: [] };
  if (isGlob(pattern)) return yield* selectByGlob(state, pattern);
  const found: LookupResult[] = [];
  const errors: string[] = [];
  for (const name of pattern.split(",").filter((part) => part.trim() !== "")) {
    try {
      found.push(yield* lookUpDocument(state, name.trim()));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      errors.push(error.explanation.split("\n\n")[0] ?? error.message);
    }
  }
  return { found: found.slice(0, maxListItems), errors };
}

const isGlob = (pattern: string): boolean => /[*?{[]/.test(pattern);

/** The document with exactly this name. */
function* findExactDocument(name: string): Steps<TitledDocument | undefined> {
  const slash = name.indexOf("/");
  if (slash <= 0) return undefined;
  return yield* findDocumentAt(name.slice(0, slash), name.slice(slash + 1));
}

function* selectByGlob(state: SearchState, pattern: string): Steps<Selection> {
  const matches = parseGlobParameter("pattern", pattern.replace(/^qmd:\/\//, ""));
  const files = (yield* state.documents.paths()).filter((file) => {
    const path = file.slice(file.indexOf("/") + 1);
    return matches(file) || matches(path);
  });
  const more = files.length - maxListItems;
  const found: LookupResult[] = [];
  for (const file of files.slice(0, maxListItems)) {
    const document = yield* findExactDocument(file);
    if (document) found.push({ document });
  }
  return {
    found,
    errors: more > 0 ? [`${more} more files match; narrow the pattern.`] : [],
  };
}

function* readItem(
  state: SearchState,
  found: LookupResult,
  maxLines: number | undefined,
  lineNumbers: boolean,
): Steps<MultiGetItem> {
  const { content, more } = yield* readPart(state, found, { first: 1, maxLines, lineNumbers });
  if (more === 0) return content;
  return {
    ...content,
    text: content.text + truncationMarkForPrograms(more),
    truncated_lines: more,
  };
}

/** The founding document prescribes different marks, and names of `get`, for programs and agents. */
const truncationMarkForPrograms = (more: number): string => `\n\n[...truncated ${more} more lines]`;
const truncationMarkForAgents = (more: number): string => `\n\n[... truncated ${more} more lines]`;

function toSkippedItem({ root, path, size }: TitledDocument): MultiGetItem {
  const file = `${root}/${path}`;
  const kilobytes = Math.max(1, Math.round(size / 1024));
  return { type: "text", text: skipNotice(file, kilobytes, "qmd get"), file, kilobytes };
}

const skipNotice = (file: string, kilobytes: number, get: string): string =>
  `[SKIPPED: ${file} - File too large (${kilobytes}KB). Use '${get}' with file="${file}" to retrieve.]`;

function toAgentBlock(item: MultiGetItem): OutputBlock {
  if ("type" in item) return textBlock(skipNotice(item.file, item.kilobytes, "qmd_get"));
  const { truncated_lines: more, ...document } = item;
  if (more === undefined) return resourceBlock(document);
  const body = document.text.slice(0, -truncationMarkForPrograms(more).length);
  return resourceBlock({ ...document, text: body + truncationMarkForAgents(more) });
}

/** The header that qmd prints above each document. */
function fileHeader(item: MultiGetItem): OutputBlock {
  const rule = "=".repeat(60);
  const name = "type" in item ? item.file : item.name;
  return textBlock(`${rule}\nFile: ${toPrintable(name)}\n${rule}`);
}

const toBlock = (item: MultiGetItem): OutputBlock =>
  "type" in item ? textBlock(item.text) : resourceBlock(item);
