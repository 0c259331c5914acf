import * as z from "zod";
import { invalid } from "../../../kernel/failure.ts";
import { createVisibilityCheck } from "../../../kernel/home/scoped-config.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import {
  decodeCursor,
  encodeCursor,
  listPageShape,
  maxListItems,
} from "../../../kernel/operations/list-page.ts";
import { notesShape, outputNotes } from "../../../kernel/operations/note.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { tryParseJson } from "../../../text/formats/json-value.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { requireCollection } from "../documents/collections.ts";
import { checkFilters } from "../query/filter-feedback.ts";
import { findMatchingDocuments, searchFilterShape } from "../query/filters.ts";
import type { SearchState } from "../state.ts";
import {
  countDocumentsAfter,
  type DocumentListing,
  type ListedDocument,
  type ListPosition,
  listDocumentsAfter,
  listOrders,
} from "../storage-lists.ts";

const operation = operationsFor<SearchState>();

export const listDocuments = operation({
  name: "list_documents",
  title: "List documents",
  summary: "List documents without a query: by tag, front matter, path or date.",
  input: z.object({
    collection: z.string().optional().meta({ help: "Only this collection" }),
    tags: z
      .array(z.string().min(1).max(200))
      .max(20)
      .optional()
      .describe("All of these; `area` includes `area/topic`")
      .meta({ flag: "tag" }),
    ...searchFilterShape,
    sort: z.enum(listOrders).default("path").describe("date: newest first"),
    reverse: z.boolean().default(false).meta({ help: "In the opposite order" }),
    limit: z
      .int()
      .min(1)
      .max(1_000)
      .default(maxListItems)
      .meta({ help: "Maximum documents", short: "n" }),
    cursor: z.string().optional().meta({ help: "`next_cursor` of the previous page" }),
  }),
  output: z
    .object({
      documents: z.array(
        z.object({
          file: z.string(),
          title: z.string(),
          size: z.int(),
          modified: z.string(),
          date: z.string().describe("Its date in the front matter, or else when it was modified"),
        }),
      ),
      ...listPageShape,
      ...notesShape,
    })
    .meta({ documents: true }),
  effect: "reads",
  expose: { mcp: true, isExtension: true, http: "GET /documents", cli: "list|ls [collection]" },
  example: { collection: "handbook", limit: 3 },

  *run({ collection, tags = [], sort, reverse, limit, cursor, ...filters }, state) {
    const { config } = state;
    if (collection !== undefined) requireCollection(config.read(), collection);
    const tagFilters = tags.map((tag) => ({ key: "tags", operator: "=", value: tag }));
    const filter = [...(filters.filter ?? []), ...tagFilters];
    const notes = yield* checkFilters({ ...filters, filter });
    const listing: DocumentListing = {
      root: collection,
      documents: yield* findMatchingDocuments({ ...filters, filter }),
      order: sort,
      isReversed: reverse,
    };
    const after = cursor === undefined ? undefined : parseCursor(cursor, sort);
    const found = yield* listDocumentsAfter(listing, after, limit);
    const last = found.at(-1);
    const position = last && ([last.key, last.root, last.path] as const);
    const remaining = position ? yield* countDocumentsAfter(listing, position) : 0;
    return {
      documents: found.filter(createVisibilityCheck(state)).map(toListItem),
      total: yield* countDocumentsAfter(listing),
      truncated: remaining > 0,
      ...(position &&
        remaining > 0 && { remaining, next_cursor: encodeCursor(JSON.stringify(position)) }),
      ...outputNotes(notes),
    };
  },

  present({ documents, remaining, next_cursor: cursor }, _input, reader) {
    const remedy = reader === "person" ? `--cursor ${cursor}` : "pass the cursor";
    const more = remaining ? [`… and ${remaining} more: ${remedy}`] : [];
    const lines = [...documents.map(({ file }) => toPrintable(file)), ...more];
    return [textBlock(lines.join("\n") || "No documents.")];
  },
});

export const listDocumentsOperations = [listDocuments];

const toListItem = ({ root, path, title, size, modified, date }: ListedDocument) => ({
  file: `${root}/${path}`,
  title: title || path,
  size,
  modified: new Date(modified).toISOString(),
  date: new Date(date).toISOString(),
});

const Position = z.tuple([z.union([z.string(), z.number()]), z.string(), z.string()]);

function parseCursor(cursor: string, order: DocumentListing["order"]): ListPosition {
  const { data } = Position.safeParse(tryParseJson(decodeCursor(cursor)));
  if (data && (typeof data[0] === "number") === (order === "date")) return data;
  throw invalid("Invalid parameter 'cursor': it belongs to a list in another order.", [
    "Omit it to start from the beginning.",
  ]);
}
