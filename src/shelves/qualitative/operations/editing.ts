import * as z from "zod";
import { text as textBlock } from "../../../kernel/block.ts";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { counted } from "../../../text/counted.ts";
import type { Edit } from "../../../text/edits.ts";
import { offsetsOf } from "../../../text/offsets.ts";
import {
  type Followed,
  followed,
  guessedRewriting,
  type Rewriting,
  rewrite,
  toldRewriting,
} from "../anchors.ts";
import { anchoredIn, revisionOf } from "../qda/storage-anchors.ts";
import { invalidPosition, readText, type SourceText, sourceById } from "../source.ts";
import type { QualitativeState } from "../state.ts";
import { changeId, idInput, position } from "./ids.ts";

const operation = operationsOn<QualitativeState>();

const EditInput = z.strictObject({
  start_pos: position,
  end_pos: position,
  text: z.string().max(10_000_000),
  replaces: z.string().optional().describe("What must stand there now"),
});

/** At most so many are named one by one; the counts are of all. */
const mostNamed = 200;

const editSourceText = operation({
  name: "edit_source_text",
  title: "Edit a source's text",
  summary:
    "Change a source's text, by edits or as a whole. What is coded moves with it; what cannot be placed for certain waits in the inbox. With dry_run nothing is written.",
  input: z.object({
    source_id: idInput.describe("Number of the source"),
    edits: z.array(EditInput).max(10_000).optional().describe("In the positions of the old text"),
    content: z.string().max(50_000_000).optional().describe("The whole new text instead"),
    revision: z
      .int()
      .min(0)
      .optional()
      .describe("Of the text that was read; refused if it changed"),
    dry_run: z.boolean().default(false).describe("Write nothing, tell what would move"),
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
  run({ source_id, edits, content, revision, dry_run }, state, call) {
    const project = state.needed();
    sourceById(project.db, source_id);
    const now = revisionOf(project.db, source_id);
    if (revision !== undefined && revision !== now) throw textChanged(now);
    const text = readText(project.db, source_id);
    const rewriting = rewritingOf(text, edits, content);
    if (dry_run) {
      const would = followed(anchoredIn(project.db, source_id), rewriting);
      return { source_id, revision: now, ...told(rewriting, would) };
    }
    let all: Followed[] = [];
    const { change_id } = project.write(
      {
        call,
        operation: "edit_source_text",
        summary: () => {
          const { waiting } = told(rewriting, all);
          const rest = waiting > 0 ? `; ${counted(waiting, "passage")} wait in the inbox` : "";
          return `Edited the text of source ${source_id} to revision ${now + 1}${rest}`;
        },
      },
      (hand) => {
        if (readText(hand.db, source_id).text !== text.text) throw textChanged(now);
        all = rewrite(hand, source_id, rewriting);
        return {};
      },
    );
    call.announce({ topic: "source.changed", about: String(source_id) });
    call.announce({ topic: "segments.changed", about: String(source_id) });
    return { source_id, revision: now + 1, ...told(rewriting, all), change_id };
  },
  present: ({ kept, moved, changed, waiting }) => [
    textBlock(`${kept} kept, ${moved} moved, ${changed} changed, ${waiting} waiting in the inbox`),
  ],
});

function rewritingOf(
  text: SourceText,
  edits: readonly z.output<typeof EditInput>[] | undefined,
  content: string | undefined,
): Rewriting {
  if ((edits === undefined) === (content === undefined)) {
    throw invalid("Give either 'edits' or 'content'.");
  }
  const rewriting =
    content === undefined
      ? toldRewriting(text.text, unitsOf(text, edits ?? []))
      : guessedRewriting(text.text, content);
  if (rewriting.after === "") throw invalid("A source's text cannot be empty.");
  if (!rewriting.after.isWellFormed()) throw invalid("The text holds half of a character.");
  return rewriting;
}

/** Edits in the text's order, in units of our strings. */
function unitsOf(text: SourceText, edits: readonly z.output<typeof EditInput>[]): Edit[] {
  const sorted = edits.toSorted((a, b) => a.start_pos - b.start_pos || a.end_pos - b.end_pos);
  return sorted.map(({ start_pos, end_pos, text: words, replaces }, index) => {
    if (start_pos < 0 || end_pos < start_pos || end_pos > text.length) {
      throw invalidPosition(start_pos, end_pos, text.length);
    }
    if (start_pos < (sorted[index - 1]?.end_pos ?? 0)) throw invalid("Two edits overlap.");
    if (replaces !== undefined && text.slice(start_pos, end_pos) !== replaces) {
      throw new Failure(
        "conflict",
        "TEXT_CHANGED",
        `At [${start_pos}:${end_pos}] there is not what 'replaces' says.`,
        { hints: ["Read the text again."] },
      );
    }
    return { start: text.unitAt(start_pos), end: text.unitAt(end_pos), text: words };
  });
}

function told({ after }: Rewriting, all: readonly Followed[]) {
  const count = (fate: Followed["fate"]) => all.filter((one) => one.fate === fate).length;
  return {
    total_length: offsetsOf(after).length,
    kept: count("kept"),
    moved: count("moved"),
    changed: count("changed"),
    waiting: count("lost"),
    followed: all
      .flatMap(({ fate, row, score, place }) =>
        fate === "kept" ? [] : [{ fate, kind: row.table, id: row.id, score, ...shownPlace(place) }],
      )
      .slice(0, mostNamed),
  };
}

const shownPlace = (place: Followed["place"]) =>
  place && { start_position: place.start, end_position: place.end };

const textChanged = (revision: number): Failure =>
  new Failure("conflict", "TEXT_CHANGED", `The text is of revision ${revision} now.`, {
    hints: ["Read it again and edit what it says now."],
  });

export const editingOperations = [editSourceText];
