import * as z from "zod";
import { notFound } from "../../../kernel/failure.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { categoryNouns } from "../knowledge/document.ts";
import { resolveAddress } from "../knowledge/document-set.ts";
import type { ArchitectureState } from "../state.ts";

const operation = operationsFor<ArchitectureState>();

const Kind = z.enum(["guideline", "pattern", "adr"]);

export const listArchitecture = operation({
  name: "list_architecture",
  title: "List the architecture's documents",
  summary: "Every guideline, pattern and decision, with its URI.",
  input: z.object({ kind: Kind.optional().describe("Only documents of this kind") }),
  output: z
    .object({
      documents: z.array(
        z.object({
          uri: z.string(),
          kind: Kind,
          title: z.string(),
          modified: z.string().describe("ISO"),
        }),
      ),
    })
    .meta({ json: "documents" }),
  effect: "reads",
  expose: { http: "GET /architecture/documents", cli: "architecture list" },
  example: {},
  async run({ kind }, { knowledge }) {
    const { all } = await knowledge.read();
    const documents = all.map(({ uri, category, title, modified }) => ({
      uri,
      kind: categoryNouns[category],
      title,
      modified,
    }));
    return { documents: documents.filter((one) => !kind || one.kind === kind) };
  },
  present: ({ documents }) => [
    textBlock(
      documents.map(({ uri, title }) => toPrintable(`${uri}  ${title}`)).join("\n") ||
        "There are no documents. They are read from mcp/resources/guidelines, patterns and adr.",
    ),
  ],
});

export const showArchitecture = operation({
  name: "show_architecture",
  title: "Show a document of the architecture",
  summary: "The text of a guideline, pattern or decision, or of the section after #.",
  input: z.object({ uri: z.string().max(4_096).describe("architecture://patterns/one-ledger") }),
  output: z.object({ uri: z.string(), kind: Kind, title: z.string(), text: z.string() }),
  effect: "reads",
  expose: { http: "GET /architecture/document", cli: "architecture show <uri>" },
  example: { uri: "architecture://patterns/one-ledger" },
  async run({ uri }, { knowledge }) {
    const resource = resolveAddress(await knowledge.read(), uri);
    if (!resource) {
      throw notFound(`There is no document at '${toPrintable(uri).slice(0, 200)}'.`, [
        "list_architecture lists the URIs.",
      ]);
    }
    const { category, title } = resource.document;
    return {
      uri: resource.document.uri,
      kind: categoryNouns[category],
      title,
      text: resource.text,
    };
  },
  present: (document) => [textBlock(document.text)],
});

export const documentOperations = [listArchitecture, showArchitecture];
