import { projectRefAt } from "../../../kernel/approval/project-ref.ts";
import type { Call } from "../../../kernel/call.ts";
import { Failure } from "../../../kernel/failure.ts";
import { readExactText } from "../../../kernel/files/file-changes.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import { groupBy } from "../../../text/arrays/group-by.ts";
import { unifiedDiff } from "../../../text/edits/diff.ts";
import { applyLineEdits } from "../../../text/edits/line-edits.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { type WriteResult, writeFiles } from "../files/file-writer.ts";
import type { RepositoryState } from "../state.ts";
import type { DocsScope } from "./baselines.ts";
import { type Drift, driftEdits, driftSuggestion, type PageEdit } from "./drift.ts";
import type { DriftReport } from "./drift-report.ts";

/** The name of the operation that edits pages, needed before its definition. */
export const editPagesOperation = "edit_documentation_lines";

/** Writes all edits or none. */
export const writePageEdits = (
  state: RepositoryState,
  subject: Pick<DocsScope, "root">,
  edits: readonly PageEdit[],
  call: Call,
): Promise<WriteResult> =>
  writeFiles(
    state,
    {
      root: subject.root,
      files: applyPageEdits(state, subject, edits),
      operation: editPagesOperation,
      summary: `Updated ${pluralise(new Set(edits.map(({ file }) => file)).size, "page")}`,
      dry_run: false,
      overwrite: false,
    },
    call,
  );

export const previewPageEdits = (
  state: RepositoryState,
  subject: Pick<DocsScope, "root">,
  edits: readonly PageEdit[],
): string =>
  applyPageEdits(state, subject, edits)
    .map(({ file, before, text }) => unifiedDiff(file, before, text))
    .join("\n");

function applyPageEdits(
  { boundary }: RepositoryState,
  { root }: Pick<DocsScope, "root">,
  edits: readonly PageEdit[],
): { file: string; before: string; text: string }[] {
  return [...groupBy(edits, ({ file }) => file)].map(([file, ofFile]) => {
    const before = readExactText(boundary, root, file);
    const text = applyLineEdits(before, ofFile);
    if (text === undefined) throw pageChanged(file);
    return { file, before, text };
  });
}

const pageChanged = (file: string): Failure =>
  new Failure(
    "conflict",
    "changed",
    `'${file}' was changed in the meantime; nothing was written.`,
    {
      hints: ["Call sync_code_to_docs again."],
    },
  );

/** Creates one proposal per changed symbol. */
export function* proposePageEdits(
  state: RepositoryState,
  subject: DocsScope,
  { drifts, pages }: DriftReport,
  call: Call,
): Steps<Map<Drift, number>> {
  const proposed = new Map<Drift, number>();
  for (const drift of drifts) {
    const edits = driftEdits([drift], pages);
    if (edits.length === 0) continue;
    const input = { projectPath: subject.root, edits };
    const draft = {
      shelf: "repository",
      operation: editPagesOperation,
      input,
      project: projectRefAt(subject.root),
      summary: `${pluralise(edits.length, "line")} on pages: ${driftSuggestion(drift)}`,
      preview: previewPageEdits(state, subject, edits),
    };
    proposed.set(drift, (yield* state.proposals.proposeOnce(draft, call)).id);
  }
  return proposed;
}
