import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { notFound } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { visible } from "../../../text/visible.ts";
import { nounOf } from "../document.ts";
import { addressed } from "../document-set.ts";
import type { ArchitectureState } from "../state.ts";

const operation = operationsOn<ArchitectureState>();

const Kind = z.enum(["guideline", "pattern", "adr"]);

export const listArchitecture = operation({
  name: "list_architecture",
  title: "List the architecture's documents",
  summary: "Every guideline, pattern and decision, with its address.",
  input: z.object({ kind: Kind.optional().describe("Only these") }),
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
    const { all } = await knowledge.now();
    const documents = all.map(({ uri, category, title, modified }) => ({
      uri,
      kind: nounOf[category],
      title,
      modified,
    }));
    return { documents: documents.filter((one) => !kind || one.kind === kind) };
  },
  present: ({ documents }) => [
    text(
      documents.map(({ uri, title }) => visible(`${uri}  ${title}`)).join("\n") ||
        "There are no documents. They lie in mcp/resources/guidelines, patterns and adr.",
    ),
  ],
});

export const showArchitecture = operation({
  name: "show_architecture",
  title: "Show a document of the architecture",
  summary: "The text of a guideline, pattern or decision, or of the section behind #.",
  input: z.object({ uri: z.string().max(4_096).describe("architecture://patterns/one-ledger") }),
  output: z.object({ uri: z.string(), kind: Kind, title: z.string(), text: z.string() }),
  effect: "reads",
  expose: { http: "GET /architecture/document", cli: "architecture show <uri>" },
  example: { uri: "architecture://patterns/one-ledger" },
  async run({ uri }, { knowledge }) {
    const found = addressed(await knowledge.now(), uri);
    if (!found) {
      throw notFound(`There is no document at '${visible(uri).slice(0, 200)}'.`, [
        "list_architecture tells the addresses.",
      ]);
    }
    const { category, title } = found.document;
    return { uri: found.document.uri, kind: nounOf[category], title, text: found.text };
  },
  present: (document) => [text(document.text)],
});

export const documentOperations = [listArchitecture, showArchitecture];
