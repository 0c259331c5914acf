import { groupedBy } from "../../text/grouped.ts";
import { type Drift, severityOf, suggestionFor } from "./drift.ts";
import type { DriftReport } from "./drift-report.ts";

/** Drift by the file of the code, in the original's words. */
export function detections(drifts: readonly Drift[]) {
  return [...groupedBy(drifts, ({ before }) => before.file)].map(([filePath, ofFile]) => ({
    filePath,
    hasDrift: true,
    severity:
      ["critical", "high", "medium", "low"].find((one) =>
        ofFile.some((drift) => severityOf(drift) === one),
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
      references: drift.references.map(shownReference),
      ...(drift.decisions.length > 0 && { decisions: drift.decisions.map(shownReference) }),
    })),
    suggestions: ofFile.map(suggestionFor),
    impactAnalysis: {
      affectedPages: [...new Set(ofFile.flatMap((one) => one.references.map(({ page }) => page)))],
      breakingChanges: ofFile.filter(({ change }) => change !== "signature").length,
    },
  }));
}

const shownReference = ({ page, line, text, certain }: Drift["references"][number]) => ({
  page,
  line,
  text,
  ...(!certain && { certain }),
});

/** What is left for somebody to do. */
export function pending(
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
        suggestion: suggestionFor(drift),
        ...(proposalId !== undefined && { proposalId }),
      };
    });
}

/** The numbers of a report. */
export function statsOf({ drifts, offered, pages }: DriftReport) {
  const count = (change: Drift["change"]) => drifts.filter((one) => one.change === change).length;
  return {
    filesAnalyzed: offered.files,
    symbols: offered.symbols.length,
    pages: pages.size,
    removed: count("removed"),
    renamed: count("renamed"),
    signature: count("signature"),
  };
}

/** What to do next. */
export function adviceOn(
  { isFirst, baseline, drifts, stopped_at }: DriftReport,
  mode: "detect" | "preview" | "apply",
) {
  if (isFirst) {
    const description = baseline
      ? "From now on changes of documented symbols are found."
      : stopped_at === undefined
        ? "Call it with createSnapshot: true."
        : "Call it with more time: only what was read to its end is remembered.";
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
        ? [{ action: "See what would change: mode preview", toolRequired: "sync_code_to_docs" }]
        : []),
      { action: "A person accepts what is right as it is: lectern repository accept" },
    ],
  };
}
