import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { boundedByPlace, boundedShape } from "../../../kernel/bounded.ts";
import { isPerson } from "../../../kernel/call.ts";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { passagesIn } from "../read-log.ts";
import { fileFormats, fileOf, formatOf, mimeTypes, writeNew } from "../reports/file.ts";
import { reportKinds, reportOf } from "../reports/kinds.ts";
import { tableOf } from "../reports/markdown.ts";
import type { Table } from "../reports/report.ts";
import type { QualitativeState } from "../state.ts";
import { idInput } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

const ids = z.array(idInput).optional().meta({ separator: "," });

const filters = {
  code_ids: ids.meta({ says: "Only these codes, by number" }),
  category_id: idInput.optional().describe("With those below"),
  source_ids: ids.meta({ says: "Only these sources, by number" }),
  case_ids: ids.meta({ says: "Only these cases, by number" }),
  coders: z.array(z.string()).optional().meta({ says: "Only what these have coded" }),
  where: z.array(z.string()).optional().describe("On attributes: Age >= 30"),
  text: z.string().optional().describe("Words in a passage"),
  important: z.boolean().optional().describe("Only these"),
  compare: z
    .enum(["coders", "human_agent"])
    .default("coders")
    .meta({ says: "Whom a report on agreement compares" }),
};

const report = z.enum(reportKinds).meta({ says: "Which report" });

/** The most rows at once; a person at a shell may want a whole table. */
const mostRows = 5_000;

const Row = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

export const getReport = operation({
  name: "get_report",
  title: "Report on codings",
  summary:
    "Code frequencies, coded passages, codes by code, by case or over a document; agreement of coders, or of people and agents (kappa, alpha), and where they differ.",
  input: z.object({
    report,
    ...filters,
    limit: z.int().min(1).max(mostRows).default(200).meta({ says: "Most rows" }),
    cursor: z.string().optional().meta({ says: "next_cursor of the answer before" }),
  }),
  output: z
    .object({
      report,
      title: z.string(),
      rows: z.array(Row),
      notes: z.string().optional().describe("What to know to read the rows rightly"),
      ...boundedShape,
    })
    .meta({ guarded: true }),
  effect: "reads",
  expose: { mcp: true, http: "GET /qualitative/reports/{report}", cli: "report <report>" },
  example: { report: "frequencies" },
  run({ report: kind, limit, cursor, ...given }, state) {
    const { title, notes, tables } = reportOf(state.needed().db, kind, given);
    const rows = rowsOf(tables[0]);
    const { items, ...bounds } = boundedByPlace(rows, { limit, cursor });
    return {
      report: kind,
      title,
      rows: items,
      ...bounds,
      ...(notes.length > 0 && { notes: notes.join(" ") }),
    };
  },
  present({ title, rows, notes, remaining }) {
    // A column without a single value would only take up room.
    const keys = Object.keys(rows[0] ?? {}).filter((key) => rows.some((row) => row[key] !== null));
    const table = tableOf({
      columns: keys.map((key) => ({ key, title: key })),
      rows: rows.map((row) => keys.map((key) => row[key] ?? null)),
    });
    const rest = remaining === undefined ? [] : [`${counted(remaining, "row")} more.`];
    return [text([title, table.trimEnd(), ...(notes ? [notes] : []), ...rest].join("\n\n"))];
  },
});

const rowsOf = ({ columns, rows }: Table): z.input<typeof Row>[] =>
  rows.map((cells) =>
    Object.fromEntries(columns.map(({ key }, place) => [key, cells[place] ?? null])),
  );

const exportReport = operation({
  name: "export_report",
  title: "Export a report",
  summary:
    "A whole report as a file: csv, xlsx, html or md. A shell writes it where it is told; others get its content.",
  input: z.object({
    report,
    to: z.string().min(1).optional().describe("The file to write, at a shell").meta({ path: true }),
    as: z.enum(fileFormats).optional().describe("Instead of what its name says; or csv"),
    overwrite: z.boolean().default(false).describe("Replace a file of that name"),
    ...filters,
  }),
  output: z.object({
    report,
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
  async run({ report: kind, to, as: given, overwrite, ...chosen }, state, call) {
    const project = state.needed();
    const isShell = call.actor.surface === "cli";
    if (to !== undefined && !isShell) throw notHere();
    const format = given ?? (to === undefined ? "csv" : formatOf(to));
    if (to === undefined && isShell && format === "xlsx") throw noText();
    const made = reportOf(project.db, kind, chosen);
    const [table] = made.tables;
    const bytes = await fileOf(made, format);
    const facts = { mime_type: mimeTypes[format], rows: table.rows.length, bytes: bytes.length };
    // Words that leave in a file are read as well.
    if (!isPerson(call)) {
      state.reads.note(call, "export_report", project.path, passagesIn(rowsOf(table)));
    }
    if (to !== undefined) {
      await writeNew(state.boundary, to, bytes, { overwrite });
      return { report: kind, format, ...facts, to };
    }
    const encoding = format === "xlsx" ? ("base64" as const) : ("utf8" as const);
    return { report: kind, format, ...facts, content: bytes.toString(encoding), encoding };
  },
  present: ({ to, content = "", rows }) => [
    text(to === undefined ? content : `Wrote ${counted(rows, "row")} to ${to}.`),
  ],
});

const notHere = (): Failure =>
  new Failure("forbidden", "not-at-a-shell", "Only a command at a shell writes the file.", {
    hints: ["Leave out `to`: the answer holds the content."],
  });

const noText = (): Failure =>
  invalid("A workbook cannot be printed.", ["Name the file to write: report export … a.xlsx."]);

export const reportOperations = [getReport, exportReport];
