import { basename } from "node:path";
import * as z from "zod";
import { invalid } from "../../../kernel/failure.ts";
import { collectionNameSchema } from "../../../kernel/home/config.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { documentPageGlob } from "../../../text/software/programming-languages.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { findPageCollection } from "../analysis/page-collection.ts";
import { resolveAnalysis } from "../analysis/resolve-analysis.ts";
import { envelope, renderResult, withEnvelope } from "../envelope.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsFor<RepositoryState>();

/**
 * Adds the pages of an analysed repository to the search index. Analyses never do this by
 * themselves: what is searchable is a person's choice. Undone like any added collection.
 */
export const makePagesSearchable = operation({
  name: "make_pages_searchable",
  title: "Make pages searchable",
  summary: "Add the pages of an analysed repository to the index as a collection.",
  input: z.object({
    path: z.string().min(1).optional().describe("The repository").meta({ path: true }),
    analysisId: z.string().min(1).optional().describe("Id of an analysis, instead of a path"),
    name: collectionNameSchema
      .optional()
      .describe("Name of the collection; the folder's name by default"),
  }),
  output: envelope(
    z.object({
      status: z.enum(["added", "already"]),
      collection: z.string(),
      documents: z.int().describe("Number of documents in the collection"),
    }),
  ),
  effect: "writes",
  expose: { http: "POST /repository/searchable", cli: "repository searchable [path]" },
  example: { path: ".", name: "pages" },

  run: withEnvelope(async ({ name, ...request }, state, call) => {
    const stored = await resolveAnalysis(state, request, call);
    const { analysis, root } = stored;
    if (analysis.documentation.existingDocs.length === 0) {
      throw invalid("No pages were found in the repository.");
    }
    const existing = await state.store.run(findPageCollection(state, stored));
    const collection = existing ?? name ?? basename(root);
    if (existing === undefined) {
      const input = { path: root, name: collection, globPattern: documentPageGlob };
      const added = await state.performByName("add_collection", input, call);
      if (!added.ok)
        throw added.failure ?? new Error("Adding a collection cannot require confirmation.");
    }
    return {
      analysisId: analysis.id,
      data: {
        status: existing === undefined ? ("added" as const) : ("already" as const),
        collection,
        documents: await state.store.run(state.documents.count({ root: collection })),
      },
      nextSteps: [
        {
          action: "Search the pages",
          toolRequired: "search",
          description: `collection "${toPrintable(collection)}"`,
        },
      ],
    };
  }),

  present({ data: { status, collection, documents }, ...advice }) {
    const description = `collection '${toPrintable(collection)}' with ${pluralise(documents, "document")}`;
    return renderResult(
      status === "added" ? `Added ${description}` : `The pages are in ${description}`,
      advice,
    );
  },
});
