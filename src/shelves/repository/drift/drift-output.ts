import { groupBy } from "../../../text/arrays/group-by.ts";
import { type Drift, driftSeverity, driftSuggestion } from "./drift.ts";
import type { DriftReport } from "./drift-report.ts";

/** Drift grouped by source file, with the field names of the founding project. */
export function toDriftDetections(drifts: readonly Drift[]) {
  return [...groupBy(drifts, ({ before }) => before.file)].map(([filePath, ofFile]) => ({
    filePath,
    hasDrift: true,
    severity:
      ["critical", "high", "medium", "low"].find((one) =>
        ofFile.some((drift) => driftSeverity(drift) === one),
      ) ?? "low",
    drifts: ofFile.map((drift) => ({
      symbol: drift.before.name,
      kind: drift.before.kind,
      change: drift.change,
      line: (drift.after ?? drift.before).line,
      before: drift.before.signature,
      ...(drift.after && {
        after: drift.after.signature,
        ...(drift.change === "renamed" && { newName: drift.after.name }),
        ...(drift.after.file !== filePath && { newFile: drift.after.file }),
      }),
      references: drift.references.map(toReferenceOutput),
      ...(drift.decisions.length > 0 && { decisions: drift.decisions.map(toReferenceOutput) }),
    })),
    suggestions: ofFile.map(driftSuggestion),
    impactAnalysis: {
      affectedPages: [...new Set(ofFile.flatMap((one) => one.references.map(({ page }) => page)))],
      breakingChanges: ofFile.filter(({ change }) => change !== "signature").length,
    },
  }));
}

const toReferenceOutput = ({ page, line, text, certain }: Drift["references"][number]) => ({
  page,
  line,
  text,
  ...(!certain && { certain }),
});

/** The drift that still needs work by a person. */
export function toPendingChanges(
  drifts: readonly Drift[],
  proposed: ReadonlyMap<Drift, number>,
  isDone: boolean,
) {
  return drifts
    .filter(({ replacements, references }) => !isDone || replacements.length < references.length)
    .map((drift) => {
      const proposalId = proposed.get(drift);
      return {
        symbol: drift.before.name,
        change: drift.change,
        suggestion: driftSuggestion(drift),
        ...(proposalId !== undefined && { proposalId }),
      };
    });
}

/** Statistics of a report. */
export function driftStats({ drifts, codeScan, pages }: DriftReport) {
  const count = (change: Drift["change"]) => drifts.filter((one) => one.change === change).length;
  return {
    filesAnalyzed: codeScan.files,
    symbols: codeScan.symbols.length,
    pages: pages.size,
    removed: count("removed"),
    renamed: count("renamed"),
    signature: count("signature"),
  };
}

/** Recommendations and next steps. */
export function driftAdvice(
  { isFirstRun, baseline, drifts, stopped_at }: DriftReport,
  mode: "detect" | "preview" | "apply",
) {
  if (isFirstRun) {
    const description = baseline
      ? "Changes of documented symbols are detected from now on."
      : stopped_at === undefined
        ? "Call it with createSnapshot: true."
        : "Call it with a longer timeout: only a complete scan is saved.";
    return {
      recommendations: [
        { type: "info" as const, title: "Nothing to compare with yet", description },
      ],
    };
  }
  if (drifts.length === 0) return {};
  const canEdit = drifts.some(({ replacements }) => replacements.length > 0);
  return {
    nextSteps: [
      ...(canEdit && mode === "detect"
        ? [{ action: "Preview the changes: mode preview", toolRequired: "sync_code_to_docs" }]
        : []),
      { action: "A person accepts pages that are already correct: lectern repository accept" },
    ],
  };
}
