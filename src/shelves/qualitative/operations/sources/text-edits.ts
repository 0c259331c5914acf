import * as z from "zod";
import { Failure, invalid } from "../../../../kernel/failure.ts";
import { textBlock } from "../../../../kernel/operations/output-block.ts";
import type { TextEdit } from "../../../../text/edits/edits.ts";
import { codePointOffsets } from "../../../../text/spans/offsets.ts";
import { pluralise } from "../../../../text/strings/pluralise.ts";
import {
  type FollowedRow,
  followRows,
  rewriteByDiff,
  rewriteByEdits,
  rewriteSource,
  type TextRewrite,
} from "../../coding/text-rewrite.ts";
import { planWrite, writeOperation } from "../../governance/planned-write.ts";
import { anchoredRowsOf, textRevisionOf } from "../../qda/storage-anchors.ts";
import {
  invalidPosition,
  readSourceText,
  requireSource,
  type SourceText,
} from "../../sources/source.ts";
import { changeId, rowIdInput, textPosition } from "../inputs.ts";

const EditInput = z.strictObject({
  start_pos: textPosition,
  end_pos: textPosition,
  text: z.string().max(10_000_000),
  replaces: z.string().optional().describe("The expected current text"),
});

/** Limit of the list; the counts include all rows. */
const maxListed = 200;

const editSourceText = writeOperation({
  name: "edit_source_text",
  title: "Edit a source's text",
  summary:
    "Change a source's text, by edits or as a whole. Codings move with it; those without a certain new position go to the inbox. dry_run writes nothing.",
  input: z.object({
    source_id: rowIdInput.describe("Id of the source"),
    edits: z.array(EditInput).max(10_000).optional().describe("With positions in the old text"),
    content: z.string().max(50_000_000).optional().describe("The whole new text instead"),
    revision: z.int().min(0).optional().describe("Revision that was read; fails if it has changed"),
    dry_run: z.boolean().default(false).describe("Only show what would move"),
  }),
  output: z.object({
    source_id: z.int(),
    revision: z.int(),
    total_length: z.int(),
    kept: z.int(),
    moved: z.int(),
    changed: z.int(),
    waiting: z.int(),
    followed: z.array(
      z.object({
        kind: z.string(),
        id: z.int(),
        fate: z.enum(["moved", "changed", "lost"]),
        score: z.number(),
        start_position: z.int().optional(),
        end_position: z.int().optional(),
      }),
    ),
    change_id: changeId.optional(),
  }),
  effect: "writes",
  expose: { http: "PUT /qualitative/sources/{source_id}/text", cli: "project edit <source_id>" },
  example: { source_id: 1, edits: [{ start_pos: 0, end_pos: 1, text: "We" }] },
  plan({ source_id, edits, content, revision, dry_run }, state, call) {
    const project = state.requireProject();
    requireSource(project.db, source_id);
    const now = textRevisionOf(project.db, source_id);
    if (revision !== undefined && revision !== now) throw textChanged(now);
    const text = readSourceText(project.db, source_id);
    const rewriting = rewriteOf(text, edits, content);
    if (dry_run) {
      const rows = followRows(anchoredRowsOf(project.db, source_id), rewriting);
      return { source_id, revision: now, ...toRewriteOutput(rewriting, rows) };
    }
    let all: FollowedRow[] = [];
    return planWrite(
      project,
      {
        call,
        operation: "edit_source_text",
        summary: () => {
          const { waiting } = toRewriteOutput(rewriting, all);
          const rest = waiting > 0 ? `; ${pluralise(waiting, "passage")} wait in the inbox` : "";
          return `Edited the text of source ${source_id} to revision ${now + 1}${rest}`;
        },
      },
      (context) => {
        if (readSourceText(context.db, source_id).text !== text.text) throw textChanged(now);
        all = rewriteSource(context, source_id, rewriting);
        return {};
      },
      ({ change_id }) => {
        call.announce({ topic: "source.changed", about: String(source_id) });
        call.announce({ topic: "segments.changed", about: String(source_id) });
        return { source_id, revision: now + 1, ...toRewriteOutput(rewriting, all), change_id };
      },
    );
  },
  present: ({ kept, moved, changed, waiting }) => [
    textBlock(`${kept} kept, ${moved} moved, ${changed} changed, ${waiting} waiting in the inbox`),
  ],
});

function rewriteOf(
  text: SourceText,
  edits: readonly z.output<typeof EditInput>[] | undefined,
  content: string | undefined,
): TextRewrite {
  if ((edits === undefined) === (content === undefined)) {
    throw invalid("Give either 'edits' or 'content'.");
  }
  const rewriting =
    content === undefined
      ? rewriteByEdits(text.text, toUnitEdits(text, edits ?? []))
      : rewriteByDiff(text.text, content);
  if (rewriting.after === "") throw invalid("A source's text cannot be empty.");
  if (!rewriting.after.isWellFormed()) throw invalid("The text contains a lone surrogate.");
  return rewriting;
}

/** Sorts the edits and converts code points to UTF-16 units. */
function toUnitEdits(text: SourceText, edits: readonly z.output<typeof EditInput>[]): TextEdit[] {
  const sorted = edits.toSorted((a, b) => a.start_pos - b.start_pos || a.end_pos - b.end_pos);
  return sorted.map(({ start_pos, end_pos, text: replacement, replaces }, index) => {
    if (start_pos < 0 || end_pos < start_pos || end_pos > text.length) {
      throw invalidPosition(start_pos, end_pos, text.length);
    }
    if (start_pos < (sorted[index - 1]?.end_pos ?? 0)) throw invalid("Two edits overlap.");
    if (replaces !== undefined && text.slice(start_pos, end_pos) !== replaces) {
      throw new Failure(
        "conflict",
        "TEXT_CHANGED",
        `The text at [${start_pos}:${end_pos}] differs from 'replaces'.`,
        { hints: ["Read the text again."] },
      );
    }
    return { start: text.unitAt(start_pos), end: text.unitAt(end_pos), text: replacement };
  });
}

function toRewriteOutput({ after }: TextRewrite, all: readonly FollowedRow[]) {
  const count = (fate: FollowedRow["fate"]) => all.filter((one) => one.fate === fate).length;
  return {
    total_length: codePointOffsets(after).length,
    kept: count("kept"),
    moved: count("moved"),
    changed: count("changed"),
    waiting: count("lost"),
    followed: all
      .flatMap(({ fate, row, score, range }) =>
        fate === "kept"
          ? []
          : [{ fate, kind: row.table, id: row.id, score, ...toPositionsOutput(range) }],
      )
      .slice(0, maxListed),
  };
}

const toPositionsOutput = (range: FollowedRow["range"]) =>
  range && { start_position: range.start, end_position: range.end };

const textChanged = (revision: number): Failure =>
  new Failure("conflict", "TEXT_CHANGED", `The text is now at revision ${revision}.`, {
    hints: ["Read it again and edit the current text."],
  });

export const textEditOperations = [editSourceText];
