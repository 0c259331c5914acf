import * as z from "zod";
import { text } from "../../../kernel/block.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { decisionStatuses } from "../../../text/decisions/status.ts";
import { visible } from "../../../text/visible.ts";
import { recordNamed } from "../asked-record.ts";
import { lint, lintRules } from "../lint.ts";
import type { RecordSet } from "../record-set.ts";
import { recordText } from "../records-state.ts";
import { recordLine, ShownRecord, shownRecord } from "../shown-record.ts";
import type { ArchitectureState } from "../state.ts";

const operation = operationsOn<ArchitectureState>();

export const statusFilter = z
  .enum([...decisionStatuses, "other", "none"])
  .optional()
  .describe("Only these");

export const listDecisions = operation({
  name: "list_decisions",
  title: "List decisions",
  summary:
    "Every file of the decision records below the root, in whatever form: number, title, status, date, sections and what supersedes what.",
  input: z.object({
    status: statusFilter,
    kind: z.enum(["adr", "template", "index"]).optional().describe("Only files of this kind"),
  }),
  output: z.object({ records: z.array(ShownRecord) }).meta({ json: "records" }),
  effect: "reads",
  expose: { http: "GET /adr", cli: "adr list" },
  example: {},
  run: async ({ status, kind }, { records }) => {
    const set = await records.now();
    return { records: listed(set, status).filter((one) => !kind || one.kind === kind) };
  },
  present({ records }) {
    const decisions = records.filter(({ kind }) => kind === "adr");
    const others = records.length - decisions.length;
    const lines = decisions.map(recordLine);
    if (lines.length === 0) lines.push("There are no decisions.");
    if (others > 0) lines.push(`… and ${counted(others, "other page")}.`);
    return [text(lines.join("\n"))];
  },
});

export function listed(set: RecordSet, status: z.output<typeof statusFilter>) {
  const wanted = set.all.filter(
    (record) =>
      status === undefined || (record.kind === "adr" && (record.status ?? "none") === status),
  );
  return wanted.map((record) => shownRecord(set, record));
}

export const idInput = z
  .string()
  .min(1)
  .max(1_000)
  .describe("Number, name or file: 4, 0004, use-lunr, 0004-use-lunr.md");

export const DecisionShown = ShownRecord.extend({
  links: z.array(
    z.object({
      verb: z.string(),
      file: z.string().nullable().describe("Null where it leads to no record"),
      text: z.string(),
      partial: z.boolean(),
      line: z.int(),
    }),
  ),
  living: z.array(z.string()).describe("The decisions that hold now in its place, or its own file"),
  section_lines: z.array(z.object({ title: z.string(), line: z.int(), end_line: z.int() })),
  text: z.string(),
});

export const showDecision = operation({
  name: "show_decision",
  title: "Show a decision",
  summary:
    "One decision record with its text, its links to others, and the decision that holds now where it was superseded.",
  input: z.object({ id: idInput }),
  output: DecisionShown,
  effect: "reads",
  expose: { http: "GET /adr/records/{id}", cli: "adr show <id>" },
  example: { id: "1" },
  run: async ({ id }, state) => shownDecision(await state.records.now(), id, state),
  present: (decision) => [text(decisionText(decision))],
});

export function shownDecision(
  set: RecordSet,
  id: string,
  { boundary }: Pick<ArchitectureState, "boundary">,
): z.input<typeof DecisionShown> {
  const record = recordNamed(set, id);
  return {
    ...shownRecord(set, record),
    links: set.linksOf(record).map(({ verb, target, text, partial, line }) => ({
      verb,
      file: target?.file ?? null,
      text,
      partial,
      line,
    })),
    living: set.living(record).map(({ file }) => file),
    section_lines: record.sections.map(({ title, line, endLine }) => ({
      title,
      line,
      end_line: endLine,
    })),
    text: recordText(boundary, set.root, record.file) ?? "",
  };
}

export function decisionText(decision: z.output<typeof DecisionShown>): string {
  const { file, living, links } = decision;
  const isLiving = living.length === 1 && living[0] === file;
  return [
    recordLine(decision),
    ...(isLiving ? [] : [`In its place holds: ${visible(living.join(", ")) || "nothing"}`]),
    ...links.map((link) => visible(`${link.verb} ${link.file ?? `${link.text} (not found)`}`)),
    "",
    decision.text,
  ].join("\n");
}

export const daysInput = z
  .int()
  .min(1)
  .max(10_000)
  .default(90)
  .describe("So long may a decision be open");

export const LintShown = z
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
    "What is wrong with the decision records: missing sections, unknown statuses, broken or one-way links, numbers used twice, odd names, decisions open for long.",
  input: z.object({ days: daysInput }),
  output: LintShown,
  effect: "reads",
  expose: { http: "GET /adr/lint", cli: "adr lint" },
  example: { days: 10_000 },
  run: async ({ days }, { records }) => linted(await records.now(), days),
  hasFailed: ({ errors }) => errors > 0,
  present: (found) => [text(lintText(found))],
});

export function linted(set: RecordSet, days: number): z.input<typeof LintShown> {
  const findings = lint(set, { days, today: new Date().toISOString().slice(0, 10) });
  const errors = findings.filter(({ severity }) => severity === "error").length;
  return { findings, errors, warnings: findings.length - errors };
}

/** Lines that editors can jump by. */
export const lintText = ({ findings, errors, warnings }: z.output<typeof LintShown>): string =>
  [
    ...findings.map(({ file, line, rule, severity, message }) =>
      visible(`${file}:${line}: ${severity} ${rule} ${message}`),
    ),
    `${counted(errors, "error")}, ${counted(warnings, "warning")}`,
  ].join("\n");

export const decisionOperations = [listDecisions, showDecision, lintDecisions];
