import * as z from "zod";
import { operationsFor } from "../../../kernel/operation.ts";
import { textBlock } from "../../../kernel/operations/output-block.ts";
import { decisionStatuses } from "../../../text/decisions/status.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { findDecision } from "../decisions/decision-lookup.ts";
import { lintRecords, lintRules } from "../decisions/lint.ts";
import { formatRecordLine, RecordOutput, toRecordOutput } from "../decisions/record-output.ts";
import type { RecordSet } from "../decisions/record-set.ts";
import { readRecordText } from "../decisions/record-store.ts";
import type { ArchitectureState } from "../state.ts";

const operation = operationsFor<ArchitectureState>();

export const statusFilter = z
  .enum([...decisionStatuses, "other", "none"])
  .optional()
  .describe("Only decisions with this status");

export const listDecisions = operation({
  name: "list_decisions",
  title: "List decisions",
  summary:
    "Every decision record below the root, in any format: number, title, status, date, sections and supersessions.",
  input: z.object({
    status: statusFilter,
    kind: z.enum(["adr", "template", "index"]).optional().describe("Only files of this kind"),
  }),
  output: z.object({ records: z.array(RecordOutput) }).meta({ json: "records" }),
  effect: "reads",
  expose: { http: "GET /adr", cli: "adr list" },
  example: {},
  run: async ({ status, kind }, { records }) => {
    const set = await records.read();
    return { records: filterRecords(set, status).filter((one) => !kind || one.kind === kind) };
  },
  present({ records }) {
    const decisions = records.filter(({ kind }) => kind === "adr");
    const others = records.length - decisions.length;
    const lines = decisions.map(formatRecordLine);
    if (lines.length === 0) lines.push("There are no decisions.");
    if (others > 0) lines.push(`… and ${pluralise(others, "other page")}.`);
    return [textBlock(lines.join("\n"))];
  },
});

export function filterRecords(set: RecordSet, status: z.output<typeof statusFilter>) {
  const matching = set.all.filter(
    (record) =>
      status === undefined || (record.kind === "adr" && (record.status ?? "none") === status),
  );
  return matching.map((record) => toRecordOutput(set, record));
}

export const decisionIdInput = z
  .string()
  .min(1)
  .max(1_000)
  .describe("Number, name or file: 4, 0004, use-lunr, 0004-use-lunr.md");

export const DecisionDetails = RecordOutput.extend({
  links: z.array(
    z.object({
      verb: z.string(),
      file: z.string().nullable().describe("Null if it does not lead to a record"),
      text: z.string(),
      partial: z.boolean(),
      line: z.int(),
    }),
  ),
  living: z
    .array(z.string())
    .describe("The decisions in force that superseded it, or its own file"),
  section_lines: z.array(z.object({ title: z.string(), line: z.int(), end_line: z.int() })),
  text: z.string(),
});

export const showDecision = operation({
  name: "show_decision",
  title: "Show a decision",
  summary:
    "A decision record with its text and links, and the decision in force if it was superseded.",
  input: z.object({ id: decisionIdInput }),
  output: DecisionDetails,
  effect: "reads",
  expose: { http: "GET /adr/records/{id}", cli: "adr show <id>" },
  example: { id: "1" },
  run: async ({ id }, state) => toDecisionDetails(await state.records.read(), id, state),
  present: (decision) => [textBlock(formatDecision(decision))],
});

export function toDecisionDetails(
  set: RecordSet,
  id: string,
  { boundary }: Pick<ArchitectureState, "boundary">,
): z.input<typeof DecisionDetails> {
  const record = findDecision(set, id);
  return {
    ...toRecordOutput(set, record),
    links: set.linksOf(record).map(({ verb, target, text, partial, line }) => ({
      verb,
      file: target?.file ?? null,
      text,
      partial,
      line,
    })),
    living: set.findInForce(record).map(({ file }) => file),
    section_lines: record.sections.map(({ title, line, endLine }) => ({
      title,
      line,
      end_line: endLine,
    })),
    text: readRecordText(boundary, set.root, record.file) ?? "",
  };
}

export function formatDecision(decision: z.output<typeof DecisionDetails>): string {
  const { file, living, links } = decision;
  const isInForce = living.length === 1 && living[0] === file;
  return [
    formatRecordLine(decision),
    ...(isInForce
      ? []
      : [`Superseded by (in force): ${toPrintable(living.join(", ")) || "nothing"}`]),
    ...links.map((link) => toPrintable(`${link.verb} ${link.file ?? `${link.text} (not found)`}`)),
    "",
    decision.text,
  ].join("\n");
}

export const daysInput = z
  .int()
  .min(1)
  .max(10_000)
  .default(90)
  .describe("Days after which an open decision is reported");

export const LintReport = z
  .object({
    findings: z.array(
      z.object({
        file: z.string(),
        line: z.int(),
        rule: z.enum(Object.keys(lintRules) as [keyof typeof lintRules]),
        severity: z.enum(["error", "warning"]),
        message: z.string(),
      }),
    ),
    errors: z.int(),
    warnings: z.int(),
  })
  .meta({ json: "findings" });

export const lintDecisions = operation({
  name: "lint_decisions",
  title: "Check decisions",
  summary:
    "Problems of the decision records: missing sections, unknown statuses, broken or one-way links, duplicate numbers, badly formed names, decisions open for long.",
  input: z.object({ days: daysInput }),
  output: LintReport,
  effect: "reads",
  expose: { http: "GET /adr/lint", cli: "adr lint" },
  example: { days: 10_000 },
  run: async ({ days }, { records }) => createLintReport(await records.read(), days),
  hasFailed: ({ errors }) => errors > 0,
  present: (report) => [textBlock(formatLintReport(report))],
});

export function createLintReport(set: RecordSet, days: number): z.input<typeof LintReport> {
  const findings = lintRecords(set, { days, today: new Date().toISOString().slice(0, 10) });
  const errors = findings.filter(({ severity }) => severity === "error").length;
  return { findings, errors, warnings: findings.length - errors };
}

/** Lines in the `file:line:` format that editors can follow. */
export const formatLintReport = ({
  findings,
  errors,
  warnings,
}: z.output<typeof LintReport>): string =>
  [
    ...findings.map(({ file, line, rule, severity, message }) =>
      toPrintable(`${file}:${line}: ${severity} ${rule} ${message}`),
    ),
    `${pluralise(errors, "error")}, ${pluralise(warnings, "warning")}`,
  ].join("\n");

export const decisionOperations = [listDecisions, showDecision, lintDecisions];
