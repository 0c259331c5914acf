import type { AnyOperation } from "../../../kernel/operation.ts";
import type { Database } from "../../../kernel/storage/database.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import { shorten } from "../../../text/strings/shorten.ts";
import { isVisibleSource } from "../qda/storage-privacy.ts";
import { findRow, type Row, type RowChange } from "../qda/storage-rows.ts";
import { type ProposalSubject, subjectRowsOf } from "./proposal-subject.ts";

type Input = Record<string, unknown>;

/** What a preview of a write shows: a sentence and the facts behind it. */
export interface WritePreview {
  message: string;
  [fact: string]: unknown;
}

/**
 * What a write would do, according to a dry run. Side effects outside a project have only a
 * summary.
 */
export interface DryRunFindings {
  summary: string;
  preview?: WritePreview | undefined;
  /** Digest of every row that would change, before and after. */
  token?: string;
  /** Identifies the rows that the write is about. */
  subject?: ProposalSubject;
  /** Describes the same rows in words. */
  subjectSummary?: SubjectSummary;
  /** How much coded work the write would change, as a sentence. */
  affectedText?: string | undefined;
  /** Whether the write would change rows of a private source, which no agent may learn. */
  isPrivate?: boolean;
}

/** A write that waits for a person. */
export interface ProposedWrite {
  /** The input to perform it with: a deletion is bound to the rows that its preview showed. */
  input: Input;
  summary: string;
  /** The details shown to the person, one per line. */
  preview: string;
  subject?: ProposalSubject;
  isPrivate: boolean;
}

export function toProposedWrite(
  { effect }: AnyOperation,
  input: Input,
  findings: DryRunFindings,
): ProposedWrite {
  const { summary, preview, token, subject, affectedText, isPrivate = false } = findings;
  const { subjectSummary = { codings: [], rows: [] } } = findings;
  const lines = [
    ...(preview ? [preview.message] : formatInput(input, subjectSummary)),
    ...(affectedText === undefined ? [] : [affectedText]),
    ...subjectSummary.rows,
  ];
  return {
    input: effect === "deletes" ? { preview_token: token, ...input } : input,
    summary,
    preview: lines.join("\n"),
    ...(subject && { subject }),
    isPrivate,
  };
}

/** Longer values are truncated; this length is enough to recognize a text. */
const maxChars = 2_000;

/** If the codings are listed in words, the input's list of positions is left out. */
const formatInput = (input: Input, { codings }: SubjectSummary): string[] => [
  ...codings,
  ...Object.entries(input)
    .filter(([, value]) => value !== undefined && !(codings.length > 0 && isListOfItems(value)))
    .map(([key, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return `${key}: ${text.length > maxChars ? `${text.slice(0, maxChars)}…` : text}`;
    }),
];

const isListOfItems = (value: unknown): boolean =>
  Array.isArray(value) && typeof value[0] === "object";

/** The rows that a write is about: new codings with their passages, or the rows by name. */
interface SubjectSummary {
  codings: string[];
  rows: string[];
}

const maxListed = 20;

/** Leaves out sources that the caller cannot see. */
export function summarizeSubject(db: Database, changes: readonly RowChange[]): SubjectSummary {
  const codings = changes.flatMap(({ table, before, after }) =>
    table === "code_text" && !before && after && isVisibleSource(db, Number(after.fid))
      ? [after]
      : [],
  );
  if (codings.length > 0) {
    return { codings: formatFirst(codings, (coding) => formatCoding(db, coding)), rows: [] };
  }
  const rows = subjectRowsOf(db, changes).filter(
    ({ table, id }) => table !== "source" || isVisibleSource(db, id),
  );
  return {
    codings: [],
    rows: formatFirst(rows, ({ label, was }) => `${label}: '${toLine(was.name)}'`),
  };
}

function formatCoding(db: Database, { cid, fid, pos0, pos1, seltext, memo }: Row): string {
  const code = findRow(db, "code_name", Number(cid));
  const source = findRow(db, "source", Number(fid));
  const memoSuffix = memo ? ` (${toLine(memo)})` : "";
  return `'${toLine(code?.name)}' in '${toLine(source?.name)}' [${pos0}:${pos1}]: “${toLine(seltext)}”${memoSuffix}`;
}

const toLine = (value: unknown): string => shorten(toPrintable(String(value ?? "")));

const formatFirst = <Item>(items: readonly Item[], format: (item: Item) => string): string[] => [
  ...items.slice(0, maxListed).map(format),
  ...(items.length > maxListed ? [`… and ${items.length - maxListed} more`] : []),
];
