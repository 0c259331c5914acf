import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { contentsOf, timelineOf } from "../chronicle.ts";
import { graphOf } from "../graph.ts";
import type { RecordSet } from "../record-set.ts";
import { recordText } from "../records-state.ts";
import { recordLine, ShownRecord, shownRecord } from "../shown-record.ts";
import { siteOf } from "../site.ts";
import { writeSite } from "../site-folder.ts";
import type { ArchitectureState } from "../state.ts";

const operation = operationsOn<ArchitectureState>();

export const languageInput = z
  .enum(["mermaid", "dot"])
  .default("mermaid")
  .describe("What draws it: Mermaid, or Graphviz");

const decisionGraph = operation({
  name: "decision_graph",
  title: "Graph of decisions",
  summary: "The decisions and how they stand to one another, as a drawing in Mermaid or DOT.",
  input: z.object({ language: languageInput }),
  output: z.object({ language: z.enum(["mermaid", "dot"]), graph: z.string() }),
  effect: "reads",
  expose: { http: "GET /adr/graph", cli: "adr graph" },
  example: {},
  run: async ({ language }, { records }) => ({
    language,
    graph: graphOf(await records.now(), language),
  }),
  present: ({ graph }) => [text(graph)],
});

export const decisionTimeline = operation({
  name: "decision_timeline",
  title: "Timeline of decisions",
  summary: "The decisions in the order of their days, the oldest first; those without one last.",
  input: z.object({}),
  output: z.object({ records: z.array(ShownRecord) }).meta({ json: "records" }),
  effect: "reads",
  expose: { http: "GET /adr/timeline", cli: "adr timeline" },
  example: {},
  run: async (_, { records }) => ({ records: inTime(await records.now()) }),
  present: ({ records }) => [text(timelineText(records))],
});

export const inTime = (set: RecordSet) => timelineOf(set).map((record) => shownRecord(set, record));

export function timelineText(records: readonly z.output<typeof ShownRecord>[]): string {
  if (records.length === 0) return "There are no decisions.";
  let year = "";
  return records
    .flatMap((record) => {
      const own = record.date?.slice(0, 4) ?? "No date";
      const head = own === year ? [] : [own];
      year = own;
      return [...head, `  ${recordLine(record)}`];
    })
    .join("\n");
}

const decisionContents = operation({
  name: "decision_contents",
  title: "Table of contents of decisions",
  summary: "A list of the decisions in Markdown, with links, for a page beside them.",
  input: z.object({
    from: z
      .string()
      .max(1_000)
      .optional()
      .describe("The folder of that page; the decisions' own by default"),
  }),
  output: z.object({ markdown: z.string() }),
  effect: "reads",
  expose: { http: "GET /adr/toc", cli: "adr toc" },
  example: {},
  run: async ({ from }, { records }) => ({ markdown: contents(await records.now(), from) }),
  present: ({ markdown }) => [text(markdown)],
});

export function contents(set: RecordSet, from: string | undefined): string {
  const [only, ...others] = set.folders;
  return contentsOf(set, from ?? (others.length === 0 ? (only ?? "") : ""));
}

const exportDecisions = operation({
  name: "export_decisions",
  title: "Export decisions as a site",
  summary:
    "Write the decisions as pages that need no server: one each, an index with statuses and a timeline. Never over files that it did not write.",
  input: z.object({
    folder: z
      .string()
      .max(4_096)
      .describe("A folder that is new, empty or was written by this before")
      .meta({ path: true }),
  }),
  output: z.object({ folder: z.string(), pages: z.int(), removed: z.int() }),
  effect: "writes",
  expose: { cli: "adr export <folder>" },
  example: { folder: "decision-site" },
  async run({ folder }, { records, boundary }) {
    const set = await records.now();
    const pages = siteOf(set, ({ file }) => recordText(boundary, set.root, file) ?? "");
    const { removed } = writeSite(boundary, folder, pages);
    return { folder, pages: pages.size, removed };
  },
  present: ({ folder, pages }) => [text(`Wrote ${counted(pages, "page")} to ${folder}`)],
});

export const pictureOperations = [
  decisionGraph,
  decisionTimeline,
  decisionContents,
  exportDecisions,
];
