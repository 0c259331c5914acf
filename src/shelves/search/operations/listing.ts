import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { boundedShape, cursorFor, keyFrom, listCap } from "../../../kernel/bounded.ts";
import { shownDocuments } from "../../../kernel/enclosure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { visible } from "../../../text/visible.ts";
import { collectionNamed } from "../collections.ts";
import type { SearchState } from "../state.ts";
import { titlesOf } from "../storage.ts";

const operation = operationsOn<SearchState>();

export const listDocuments = operation({
  name: "list_documents",
  title: "List documents",
  summary: "The documents of the index, or of one collection, in the order of their paths.",
  input: z.object({
    collection: z.string().optional().describe("Only this collection"),
    limit: z
      .int()
      .min(1)
      .max(1_000)
      .default(listCap)
      .describe("Most documents")
      .meta({ short: "n" }),
    cursor: z.string().optional().describe("Where an earlier answer stopped"),
  }),
  output: z.object({
    documents: z.array(
      z.object({
        file: z.string(),
        title: z.string(),
        size: z.int(),
        modified: z.string(),
      }),
    ),
    ...boundedShape,
  }),
  effect: "reads",
  expose: { http: "GET /documents", cli: "ls [collection]" },
  example: { collection: "handbook", limit: 3 },

  run({ collection, limit, cursor }, state) {
    const { documents, config, db } = state;
    if (collection !== undefined) collectionNamed(config.read(), collection);
    const after = cursor === undefined ? undefined : placeFrom(cursor);
    const found = documents.list({ root: collection, after }, limit);
    const titles = titlesOf(
      db,
      found.map(({ id }) => id),
    );
    const last = found.at(-1);
    const remaining = last ? documents.count({ root: collection, after: last }) : 0;
    return {
      documents: found.filter(shownDocuments(state)).map((document) => ({
        file: `${document.root}/${document.path}`,
        title: titles.get(document.id) || document.path,
        size: document.size,
        modified: new Date(document.modified).toISOString(),
      })),
      total: documents.count({ root: collection }),
      truncated: remaining > 0,
      ...(last &&
        remaining > 0 && { remaining, next_cursor: cursorFor(`${last.root}/${last.path}`) }),
    };
  },

  present({ documents, remaining, next_cursor: cursor }, _input, reader) {
    const remedy = reader === "person" ? `--cursor ${cursor}` : "give the cursor";
    const more = remaining ? [`… and ${remaining} more: ${remedy}`] : [];
    return [text([...documents.map(({ file }) => visible(file)), ...more].join("\n"))];
  },
});

export const listingOperations = [listDocuments];

/** A collection's name has no slash, so the first one ends it. */
function placeFrom(cursor: string): { root: string; path: string } {
  const file = keyFrom(cursor);
  const slash = file.indexOf("/");
  return { root: file.slice(0, slash), path: file.slice(slash + 1) };
}
