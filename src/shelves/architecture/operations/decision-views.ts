import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { renderDecisionGraph } from "../decisions/decision-graph.ts";
import { formatRecordLine, RecordOutput, toRecordOutput } from "../decisions/record-output.ts";
import type { RecordSet } from "../decisions/record-set.ts";
import { readRecordText } from "../decisions/record-store.ts";
import { renderTableOfContents, sortByDate } from "../decisions/timeline.ts";
import { renderDecisionSite } from "../site/decision-site.ts";
import { writeDecisionSite } from "../site/site-folder.ts";
import type { ArchitectureState } from "../state.ts";

const operation = operationsFor<ArchitectureState>();

export const graphLanguageInput = z
  .enum(["mermaid", "dot"])
  .default("mermaid")
  .describe("Mermaid, or Graphviz DOT");

const decisionGraph = operation({
  name: "decision_graph",
  title: "Graph of decisions",
  summary: "The decisions and their relations as a Mermaid or DOT diagram.",
  input: z.object({ language: graphLanguageInput }),
  output: z.object({ language: z.enum(["mermaid", "dot"]), graph: z.string() }),
  effect: "reads",
  expose: { http: "GET /adr/graph", cli: "adr graph" },
  example: {},
  run: async ({ language }, { records }) => ({
    language,
    graph: renderDecisionGraph(await records.read(), language),
  }),
  present: ({ graph }) => [textBlock(graph)],
});

export const decisionTimeline = operation({
  name: "decision_timeline",
  title: "Timeline of decisions",
  summary: "The decisions by date, oldest first; undated ones last.",
  input: z.object({}),
  output: z.object({ records: z.array(RecordOutput) }).meta({ json: "records" }),
  effect: "reads",
  expose: { http: "GET /adr/timeline", cli: "adr timeline" },
  example: {},
  run: async (_, { records }) => ({ records: timelineRecords(await records.read()) }),
  present: ({ records }) => [textBlock(formatTimeline(records))],
});

export const timelineRecords = (set: RecordSet) =>
  sortByDate(set).map((record) => toRecordOutput(set, record));

export function formatTimeline(records: readonly z.output<typeof RecordOutput>[]): string {
  if (records.length === 0) return "There are no decisions.";
  let year = "";
  return records
    .flatMap((record) => {
      const recordYear = record.date?.slice(0, 4) ?? "Undated";
      const heading = recordYear === year ? [] : [recordYear];
      year = recordYear;
      return [...heading, `  ${formatRecordLine(record)}`];
    })
    .join("\n");
}

const decisionContents = operation({
  name: "decision_contents",
  title: "Table of contents of decisions",
  summary: "A Markdown list of the decisions with links.",
  input: z.object({
    from: z
      .string()
      .max(1_000)
      .optional()
      .describe("Folder of the page that contains the list; the decisions' folder by default"),
  }),
  output: z.object({ markdown: z.string() }),
  effect: "reads",
  expose: { http: "GET /adr/toc", cli: "adr toc" },
  example: {},
  run: async ({ from }, { records }) => ({ markdown: renderContents(await records.read(), from) }),
  present: ({ markdown }) => [textBlock(markdown)],
});

export function renderContents(set: RecordSet, from: string | undefined): string {
  const [only, ...others] = set.folders;
  return renderTableOfContents(set, from ?? (others.length === 0 ? (only ?? "") : ""));
}

const exportDecisions = operation({
  name: "export_decisions",
  title: "Export decisions as a site",
  summary:
    "Write the decisions as a static site: a page each, and an index with statuses and a timeline. Files from other sources are never overwritten.",
  input: z.object({
    folder: z
      .string()
      .max(4_096)
      .describe("A new or empty folder, or one written by an earlier export")
      .meta({ path: true }),
  }),
  output: z.object({ folder: z.string(), pages: z.int(), removed: z.int() }),
  effect: "writes",
  expose: { cli: "adr export <folder>" },
  example: { folder: "decision-site" },
  async run({ folder }, { records, boundary }) {
    const set = await records.read();
    const pages = renderDecisionSite(
      set,
      ({ file }) => readRecordText(boundary, set.root, file) ?? "",
    );
    const { removed } = writeDecisionSite(boundary, folder, pages);
    return { folder, pages: pages.size, removed };
  },
  present: ({ folder, pages }) => [textBlock(`Wrote ${pluralise(pages, "page")} to ${folder}`)],
});

export const decisionViewOperations = [
  decisionGraph,
  decisionTimeline,
  decisionContents,
  exportDecisions,
];
