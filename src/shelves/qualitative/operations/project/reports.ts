import * as z from "zod";
import { isPerson } from "../../../../kernel/call.ts";
import { Failure, invalid } from "../../../../kernel/failure.ts";
import { operationsFor } from "../../../../kernel/operation.ts";
import { listPageShape, pageByOffset } from "../../../../kernel/operations/list-page.ts";
import { textBlock } from "../../../../kernel/operations/output-block.ts";
import { pluralise } from "../../../../text/strings/pluralise.ts";
import { collectReadPassages } from "../../governance/read-log.ts";
import { renderReportTable } from "../../reports/markdown.ts";
import type { Table } from "../../reports/report.ts";
import {
  fileFormats,
  mimeTypes,
  renderReportFile,
  reportFormatOf,
  writeReportFile,
} from "../../reports/report-file.ts";
import { createReport, reportKinds } from "../../reports/report-kinds.ts";
import type { QualitativeState } from "../../state.ts";
import { rowIdInput } from "../inputs.ts";

const operation = operationsFor<QualitativeState>();

const idsInput = z.array(rowIdInput).optional().meta({ separator: "," });

const filtersInput = {
  code_ids: idsInput.meta({ help: "Only these codes, by number" }),
  category_id: rowIdInput.optional().describe("Includes subcategories"),
  source_ids: idsInput.meta({ help: "Only these sources, by number" }),
  case_ids: idsInput.meta({ help: "Only these cases, by number" }),
  coders: z.array(z.string()).optional().meta({ help: "Only codings by these coders" }),
  where: z.array(z.string()).optional().describe("On attributes: Age >= 30"),
  text: z.string().optional().describe("Text in a passage"),
  important: z.boolean().optional().describe("Only important codings"),
  compare: z
    .enum(["coders", "human_agent"])
    .default("coders")
    .meta({ help: "Who is compared in reports on agreement" }),
};

const reportInput = z.enum(reportKinds).meta({ help: "Which report" });

/** High enough for a whole table at a shell. */
const maxRows = 5_000;

const Row = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

export const getReport = operation({
  name: "get_report",
  title: "Report on codings",
  summary:
    "Code frequencies, coded passages, codes by code, by case or over a document; agreement of coders, or of people and agents (kappa, alpha), and where they differ.",
  input: z.object({
    report: reportInput,
    ...filtersInput,
    limit: z.int().min(1).max(maxRows).default(200).meta({ help: "Maximum number of rows" }),
    cursor: z.string().optional().meta({ help: "next_cursor of the previous page" }),
  }),
  output: z
    .object({
      report: reportInput,
      title: z.string(),
      rows: z.array(Row),
      notes: z.string().optional().describe("Notes needed to interpret the rows"),
      ...listPageShape,
    })
    .meta({ guarded: true }),
  effect: "reads",
  expose: { mcp: true, http: "GET /qualitative/reports/{report}", cli: "report <report>" },
  example: { report: "frequencies" },
  run({ report: kind, limit, cursor, ...requestedFormat }, state) {
    const { title, notes, tables } = createReport(state.requireProject().db, kind, requestedFormat);
    const rows = rowsByKey(tables[0]);
    const { items, ...bounds } = pageByOffset(rows, { limit, cursor });
    return {
      report: kind,
      title,
      rows: items,
      ...bounds,
      ...(notes.length > 0 && { notes: notes.join(" ") }),
    };
  },
  present({ title, rows, notes, remaining }) {
    // Columns without any value are left out.
    const keys = Object.keys(rows[0] ?? {}).filter((key) => rows.some((row) => row[key] !== null));
    const table = renderReportTable({
      columns: keys.map((key) => ({ key, title: key })),
      rows: rows.map((row) => keys.map((key) => row[key] ?? null)),
    });
    const rest = remaining === undefined ? [] : [`${pluralise(remaining, "row")} more.`];
    return [textBlock([title, table.trimEnd(), ...(notes ? [notes] : []), ...rest].join("\n\n"))];
  },
});

const rowsByKey = ({ columns, rows }: Table): z.input<typeof Row>[] =>
  rows.map((cells) =>
    Object.fromEntries(columns.map(({ key }, index) => [key, cells[index] ?? null])),
  );

const exportReport = operation({
  name: "export_report",
  title: "Export a report",
  summary:
    "A whole report as a file: csv, xlsx, html or md. At a shell it is written to a path; other callers get its content.",
  input: z.object({
    report: reportInput,
    to: z.string().min(1).optional().describe("The file to write, at a shell").meta({ path: true }),
    as: z.enum(fileFormats).optional().describe("Format; by default from the extension, or csv"),
    overwrite: z.boolean().default(false).describe("Replace an existing file"),
    ...filtersInput,
  }),
  output: z.object({
    report: reportInput,
    format: z.enum(fileFormats),
    mime_type: z.string(),
    rows: z.int(),
    bytes: z.int(),
    to: z.string().optional(),
    content: z.string().optional(),
    encoding: z.enum(["utf8", "base64"]).optional(),
  }),
  effect: "reads",
  expose: {
    http: "GET /qualitative/reports/{report}/file",
    cli: "report export <report> [to]",
  },
  example: { report: "frequencies", as: "csv" },
  async run({ report: kind, to, as: requestedFormat, overwrite, ...chosen }, state, call) {
    const project = state.requireProject();
    const isShell = call.actor.surface === "cli";
    if (to !== undefined && !isShell) throw onlyAtShell();
    const format = requestedFormat ?? (to === undefined ? "csv" : reportFormatOf(to));
    if (to === undefined && isShell && format === "xlsx") throw workbookNotPrintable();
    const created = createReport(project.db, kind, chosen);
    const [table] = created.tables;
    const bytes = await renderReportFile(created, format);
    const facts = { mime_type: mimeTypes[format], rows: table.rows.length, bytes: bytes.length };
    // Text in an exported file counts as read.
    if (!isPerson(call)) {
      const passages = collectReadPassages(rowsByKey(table));
      await state.store.run(state.readLog.record(call, "export_report", project.path, passages));
    }
    if (to !== undefined) {
      await writeReportFile(state.boundary, to, bytes, { overwrite });
      return { report: kind, format, ...facts, to };
    }
    const encoding = format === "xlsx" ? ("base64" as const) : ("utf8" as const);
    return { report: kind, format, ...facts, content: bytes.toString(encoding), encoding };
  },
  present: ({ to, content = "", rows }) => [
    textBlock(to === undefined ? content : `Wrote ${pluralise(rows, "row")} to ${to}.`),
  ],
});

const onlyAtShell = (): Failure =>
  new Failure("forbidden", "not-at-a-shell", "Only the command line can write the file.", {
    hints: ["Omit `to`: the output contains the content."],
  });

const workbookNotPrintable = (): Failure =>
  invalid("A workbook cannot be printed.", ["Give the file to write: report export … a.xlsx."]);

export const reportOperations = [getReport, exportReport];
