import * as z from "zod";
import { isPerson } from "../../../kernel/call.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { docsScopeFromInput, docsScopeInput } from "../drift/docs-scope.ts";
import { type Drift, driftEdits } from "../drift/drift.ts";
import {
  driftAdvice,
  driftStats,
  toDriftDetections,
  toPendingChanges,
} from "../drift/drift-output.ts";
import { detectDrift } from "../drift/drift-report.ts";
import {
  editPagesOperation,
  previewPageEdits,
  proposePageEdits,
  writePageEdits,
} from "../drift/page-edits.ts";
import { envelope, partialFields, partialLine, renderResult, withEnvelope } from "../envelope.ts";
import { logOutcome } from "../progress.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsFor<RepositoryState>();

const syncOutput = z.looseObject({
  mode: z.string(),
  driftDetections: z.array(z.looseObject({ filePath: z.string(), severity: z.string() })),
  appliedChanges: z.array(z.looseObject({ file: z.string() })),
  pendingChanges: z.array(z.looseObject({ symbol: z.string(), proposalId: z.int().optional() })),
  snapshotId: z.string().nullable(),
  changeId: z.int().optional(),
});

export const syncCodeToDocs = operation({
  name: "sync_code_to_docs",
  title: "Find drift between code and pages",
  summary:
    "Find public symbols that were removed, renamed or changed but that pages still describe in their old form. preview shows the diff, apply proposes it to a person.",
  input: z.object({
    ...docsScopeInput,
    mode: z
      .enum(["detect", "preview", "apply"])
      .default("detect")
      .meta({ help: "Report drift, show the fix, or apply it" }),
    createSnapshot: z
      .boolean()
      .default(true)
      .describe("Save the symbols if there is no baseline yet"),
  }),
  output: envelope(syncOutput),
  effect: "writes",
  expose: {
    mcp: true,
    http: "POST /repository/drift",
    cli: "repository drift <projectPath>",
  },
  example: { projectPath: "." },
  run: withEnvelope(async ({ mode, createSnapshot, ...scopeInput }, state, call) => {
    const subject = docsScopeFromInput(scopeInput, state);
    const report = await detectDrift(state, subject, { savesBaseline: createSnapshot }, call);
    const { drifts, pages, baseline, isFirstRun, stopped_at } = report;
    const edits = driftEdits(drifts, pages);
    // In a partial scan, a symbol that moved to an unread file looks removed or renamed.
    const shouldApply = mode === "apply" && edits.length > 0 && stopped_at === undefined;
    const written =
      shouldApply && isPerson(call) ? await writePageEdits(state, subject, edits, call) : undefined;
    const proposed =
      shouldApply && !written
        ? await state.store.run(proposePageEdits(state, subject, report, call))
        : new Map<Drift, number>();
    logOutcome(call, "Drift detection", stopped_at !== undefined);
    return {
      data: {
        mode,
        driftDetections: toDriftDetections(drifts),
        appliedChanges: (written?.filesUpdated ?? []).map((file) => ({ file })),
        pendingChanges: toPendingChanges(drifts, proposed, written !== undefined),
        stats: driftStats(report),
        snapshotId: baseline ? `baseline-${baseline.id}` : null,
        baseline: isFirstRun ? (baseline ? "made" : "none") : "kept",
        ...(mode !== "detect" && {
          diff: written?.diff ?? previewPageEdits(state, subject, edits),
        }),
        ...(written?.changeId !== undefined && { changeId: written.changeId }),
        ...(report.codeScan.problems.length > 0 && {
          unreadable: report.codeScan.problems.slice(0, 50),
        }),
        ...partialFields(stopped_at),
      },
      ...driftAdvice(report, mode),
    };
  }),
  present: ({ data, ...advice }) => {
    const lines = data.driftDetections.flatMap((one) => detectionLines(detectionOutput.parse(one)));
    const diff = typeof data.diff === "string" && data.diff !== "" ? ["", data.diff] : [];
    const text = [...partialLine(data), headline(data), ...lines, ...appliedLines(data), ...diff];
    return renderResult(text.join("\n"), advice);
  },
});

/**
 * The fields that `present` reads. The output schema declares fewer to keep the tool list short.
 */
const detectionOutput = z.looseObject({
  filePath: z.string(),
  drifts: z.array(
    z.looseObject({
      symbol: z.string(),
      change: z.string(),
      line: z.int(),
      references: z.array(z.looseObject({ page: z.string(), line: z.int(), text: z.string() })),
    }),
  ),
});

const detectionLines = ({ filePath, drifts }: z.output<typeof detectionOutput>): string[] =>
  drifts.flatMap(({ symbol, change, line, references }) => [
    toPrintable(`${filePath}:${line}: ${change} ${symbol}`),
    ...references.map(({ page, line: at, text }) => `  ${toPrintable(`${page}:${at}: ${text}`)}`),
  ]);

function headline(data: z.output<typeof syncOutput>): string {
  if (data.baseline === "none") return "There is no baseline to compare with.";
  if (data.baseline === "made") return "The current symbols were saved as the baseline.";
  const { length } = data.driftDetections;
  if (length > 0) return `Drift in ${pluralise(length, "file")}.`;
  return data.partial ? "No drift in what was read." : "The pages agree with the code.";
}

/** The results of `apply`. */
function appliedLines(data: z.output<typeof syncOutput>): string[] {
  const pending = data.pendingChanges.filter(({ proposalId }) => proposalId !== undefined).length;
  return [
    ...(data.appliedChanges.length > 0
      ? [
          `Wrote ${pluralise(data.appliedChanges.length, "page")}. Change ${data.changeId} can be undone.`,
        ]
      : []),
    ...(pending > 0 ? [`${pluralise(pending, "proposal")} waiting for approval.`] : []),
  ];
}

/** Applies an accepted proposal. Not exposed on any surface. */
const editPages = operation({
  name: editPagesOperation,
  title: "Edit lines of pages",
  summary: "Replace lines of pages, unless they have changed.",
  input: z.object({
    projectPath: docsScopeInput.projectPath,
    edits: z
      .array(
        z.object({
          file: z.string().min(1),
          line: z.int().min(1),
          before: z.string(),
          after: z.string(),
        }),
      )
      .min(1),
  }),
  output: z.object({ files: z.array(z.string()), diff: z.string() }),
  effect: "writes",
  expose: {},
  example: {
    projectPath: ".",
    edits: [
      {
        file: "handbook/welcome.md",
        line: 1,
        before: "# Welcome to the lighthouse archive",
        after: "# Welcome",
      },
    ],
  },
  async run({ projectPath, edits }, state, call) {
    const subject = docsScopeFromInput({ projectPath }, state);
    const { filesUpdated, diff } = await writePageEdits(state, subject, edits, call);
    return { files: filesUpdated, diff };
  },
});

export const driftOperations = [syncCodeToDocs, editPages];
