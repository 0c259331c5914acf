import { basename } from "node:path";
import * as z from "zod";
import { collectionName } from "../../../kernel/config.ts";
import { invalid } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { pageGlob } from "../../../text/languages.ts";
import { visible } from "../../../text/visible.ts";
import { askedAnalysis } from "../asked-analysis.ts";
import { answering, envelope, told } from "../envelope.ts";
import { collectionOf } from "../searchable.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsOn<RepositoryState>();

/**
 * What a search finds is a person's choice, so no analysis adds to it by itself. This is the step
 * that an analysis offers, taken by whoever may add a collection; it is undone as that is.
 */
export const makePagesSearchable = operation({
  name: "make_pages_searchable",
  title: "Make pages searchable",
  summary: "Take the pages of an analysed repository into the index, as a collection.",
  input: z.object({
    path: z.string().min(1).optional().describe("The repository").meta({ path: true }),
    analysisId: z.string().min(1).optional().describe("Instead of a path: a known analysis"),
    name: collectionName.optional().describe("The collection's name; else the folder's"),
  }),
  output: envelope(
    z.object({
      status: z.enum(["added", "already"]),
      collection: z.string(),
      documents: z.int().describe("How many documents the collection holds"),
    }),
  ),
  effect: "writes",
  expose: { http: "POST /repository/searchable", cli: "repository searchable [path]" },
  example: { path: ".", name: "pages" },

  run: answering(async ({ name, ...asked }, state, call) => {
    const kept = await askedAnalysis(state, asked, call);
    const { analysis, root } = kept;
    if (analysis.documentation.existingDocs.length === 0) {
      throw invalid("The repository has no pages that could be found.");
    }
    const known = collectionOf(state, kept);
    const collection = known ?? name ?? basename(root);
    if (known === undefined) {
      const input = { path: root, name: collection, globPattern: pageGlob };
      const added = await state.performByName("add_collection", input, call);
      if (!added.ok) throw added.failure ?? new Error("To add a collection asks for nothing.");
    }
    return {
      analysisId: analysis.id,
      data: {
        status: known === undefined ? ("added" as const) : ("already" as const),
        collection,
        documents: state.documents.count({ root: collection }),
      },
      nextSteps: [
        {
          action: "Search the pages",
          toolRequired: "search",
          description: `collection "${visible(collection)}"`,
        },
      ],
    };
  }),

  present({ data: { status, collection, documents }, ...said }) {
    const held = `collection '${visible(collection)}' with ${counted(documents, "document")}`;
    return told(status === "added" ? `Added ${held}` : `The pages are in ${held}`, said);
  },
});
