import type { Call } from "../../kernel/call.ts";
import { Failure } from "../../kernel/failure.ts";
import { exactText } from "../../kernel/file-exchange.ts";
import { projectAt } from "../../kernel/project-root.ts";
import { counted } from "../../text/counted.ts";
import { difference } from "../../text/difference.ts";
import { groupedBy } from "../../text/grouped.ts";
import { withLinesEdited } from "../../text/line-edits.ts";
import type { Subject } from "./baselines.ts";
import { type Drift, editsFor, type PageEdit, suggestionFor } from "./drift.ts";
import type { DriftReport } from "./drift-report.ts";
import type { RepositoryState } from "./state.ts";
import { type Written, writeFiles } from "./writing.ts";

/** The operation that edits pages, where it is named before it is defined. */
export const editingName = "edit_documentation_lines";

/** Writes the edits, all or none. */
export const writeEdits = (
  state: RepositoryState,
  subject: Pick<Subject, "root">,
  edits: readonly PageEdit[],
  call: Call,
): Written =>
  writeFiles(
    state,
    {
      root: subject.root,
      files: editedFiles(state, subject, edits),
      operation: editingName,
      summary: `Brought ${counted(new Set(edits.map(({ file }) => file)).size, "page")} up to date`,
      dry_run: false,
      overwrite: false,
    },
    call,
  );

export const editsShown = (
  state: RepositoryState,
  subject: Pick<Subject, "root">,
  edits: readonly PageEdit[],
): string =>
  editedFiles(state, subject, edits)
    .map(({ file, before, text }) => difference(file, before, text))
    .join("\n");

function editedFiles(
  { boundary }: RepositoryState,
  { root }: Pick<Subject, "root">,
  edits: readonly PageEdit[],
): { file: string; before: string; text: string }[] {
  return [...groupedBy(edits, ({ file }) => file)].map(([file, ofFile]) => {
    const before = exactText(boundary, root, file);
    const text = withLinesEdited(before, ofFile);
    if (text === undefined) throw movedOn(file);
    return { file, before, text };
  });
}

const movedOn = (file: string): Failure =>
  new Failure("conflict", "changed", `'${file}' was changed meanwhile; nothing was written.`, {
    hints: ["Call sync_code_to_docs again."],
  });

/** Each changed symbol is a question of its own to the person who decides. */
export function proposeEdits(
  state: RepositoryState,
  subject: Subject,
  { drifts, pages }: DriftReport,
  call: Call,
): Map<Drift, number> {
  const proposed = new Map<Drift, number>();
  for (const drift of drifts) {
    const edits = editsFor([drift], pages);
    if (edits.length === 0) continue;
    const input = { projectPath: subject.root, edits };
    // What was proposed before and waits still is not proposed again.
    const known = state.proposals.waitingFor(editingName, input);
    const draft = {
      shelf: "repository",
      operation: editingName,
      input,
      project: projectAt(subject.root),
      summary: `${counted(edits.length, "line")} on pages: ${suggestionFor(drift)}`,
      preview: editsShown(state, subject, edits),
    };
    proposed.set(drift, (known ?? state.proposals.propose(draft, call)).id);
  }
  return proposed;
}
