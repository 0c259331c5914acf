import * as z from "zod";
import { isPerson } from "../../../kernel/call.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import { visible } from "../../../text/visible.ts";
import { type Drift, editsFor } from "../drift.ts";
import { driftNow } from "../drift-report.ts";
import { adviceOn, detections, pending, statsOf } from "../drift-shown.ts";
import { answering, envelope, partialLine, partially, told } from "../envelope.ts";
import { logEnd } from "../long-work.ts";
import { editingName, editsShown, proposeEdits, writeEdits } from "../page-edits.ts";
import type { RepositoryState } from "../state.ts";
import { subjectFrom, subjectInput } from "../subject.ts";

const operation = operationsOn<RepositoryState>();

const SyncShown = z.looseObject({
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
    "Find public symbols that were removed, renamed or changed while pages still speak of the former. preview shows the difference, apply proposes it to a person.",
  input: z.object({
    ...subjectInput,
    mode: z
      .enum(["detect", "preview", "apply"])
      .default("detect")
      .meta({ says: "Tell of it, show the change that mends it, or make the change" }),
    createSnapshot: z
      .boolean()
      .default(true)
      .describe("Remember the symbols where there is no baseline yet"),
  }),
  output: envelope(SyncShown),
  effect: "writes",
  expose: {
    mcp: true,
    http: "POST /repository/drift",
    cli: "repository drift <projectPath>",
  },
  example: { projectPath: "." },
  run: answering(async ({ mode, createSnapshot, ...given }, state, call) => {
    const subject = subjectFrom(given, state);
    const report = await driftNow(state, subject, { keeps: createSnapshot }, call);
    const { drifts, pages, baseline, isFirst, stopped_at } = report;
    const edits = editsFor(drifts, pages);
    // What only moved to a file that nobody came to looks as if it were gone or renamed.
    const isApplied = mode === "apply" && edits.length > 0 && stopped_at === undefined;
    const written =
      isApplied && isPerson(call) ? writeEdits(state, subject, edits, call) : undefined;
    const proposed =
      isApplied && !written ? proposeEdits(state, subject, report, call) : new Map<Drift, number>();
    logEnd(call, "Drift detection", stopped_at !== undefined);
    return {
      data: {
        mode,
        driftDetections: detections(drifts),
        appliedChanges: (written?.filesUpdated ?? []).map((file) => ({ file })),
        pendingChanges: pending(drifts, proposed, written !== undefined),
        stats: statsOf(report),
        snapshotId: baseline ? `baseline-${baseline.id}` : null,
        baseline: isFirst ? (baseline ? "made" : "none") : "kept",
        ...(mode !== "detect" && { diff: written?.diff ?? editsShown(state, subject, edits) }),
        ...(written?.changeId !== undefined && { changeId: written.changeId }),
        ...(report.offered.problems.length > 0 && {
          unreadable: report.offered.problems.slice(0, 50),
        }),
        ...partially(stopped_at),
      },
      ...adviceOn(report, mode),
    };
  }),
  present: ({ data, ...said }) => {
    const lines = data.driftDetections.flatMap((one) => linesFor(DetectionShown.parse(one)));
    const diff = typeof data.diff === "string" && data.diff !== "" ? ["", data.diff] : [];
    const words = [...partialLine(data), headline(data), ...lines, ...done(data), ...diff];
    return told(words.join("\n"), said);
  },
});

/** What `present` reads back of its own output, whose schema says less to spare an agent's budget. */
const DetectionShown = z.looseObject({
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

const linesFor = ({ filePath, drifts }: z.output<typeof DetectionShown>): string[] =>
  drifts.flatMap(({ symbol, change, line, references }) => [
    visible(`${filePath}:${line}: ${change} ${symbol}`),
    ...references.map(({ page, line: at, text }) => `  ${visible(`${page}:${at}: ${text}`)}`),
  ]);

function headline(data: z.output<typeof SyncShown>): string {
  if (data.baseline === "none") return "There is no baseline to compare with.";
  if (data.baseline === "made") return "The symbols are remembered as the baseline from now on.";
  const { length } = data.driftDetections;
  if (length > 0) return `Drift in ${counted(length, "file")}.`;
  return data.partial ? "No drift in what was seen." : "The pages agree with the code.";
}

/** What became of an `apply`. */
function done(data: z.output<typeof SyncShown>): string[] {
  const waiting = data.pendingChanges.filter(({ proposalId }) => proposalId !== undefined).length;
  return [
    ...(data.appliedChanges.length > 0
      ? [
          `Wrote ${counted(data.appliedChanges.length, "page")}. Change ${data.changeId} can be undone.`,
        ]
      : []),
    ...(waiting > 0 ? [`${counted(waiting, "proposal")} for a person to decide.`] : []),
  ];
}

/** How an accepted proposal is carried out. It is on no surface. */
const editPages = operation({
  name: editingName,
  title: "Edit lines of pages",
  summary: "Replace lines of pages, where they still are as they were read.",
  input: z.object({
    projectPath: subjectInput.projectPath,
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
  run({ projectPath, edits }, state, call) {
    const subject = subjectFrom({ projectPath }, state);
    const { filesUpdated, diff } = writeEdits(state, subject, edits, call);
    return { files: filesUpdated, diff };
  },
});

export const driftOperations = [syncCodeToDocs, editPages];
