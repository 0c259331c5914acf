import type { MatchOptions } from "../../index/search-index.ts";
import { all, inTexts, type Steps } from "../../storage/steps.ts";
import type { OwnerTable, OwningDocument } from "./owner-table.ts";
import { staleState } from "./read-requests.ts";
import { numbers } from "./read-statement.ts";

/** Reads the documents of passages. */
export interface OwnerReads {
  ofPassages(passages: readonly number[], owners: OwnerTable): Steps<void>;
  /** Reads all documents that the filters admit. */
  admittedBy(options: MatchOptions, owners: OwnerTable): Steps<void>;
}

export function createOwnerReads(shelf: string, titles: string): OwnerReads {
  const joinTitles = (document: string): string =>
    `LEFT JOIN ${titles} AS titled ON titled.document = ${document}`;
  const ofPassages = `
    SELECT passage.id, passage.document, documents.root, documents.path,
        entry.first_passage AS first, entry.passages AS count, titled.title
      FROM ${numbers("?1")} AS wanted (passage)
      LEFT JOIN ${shelf}_passages AS passage ON passage.id = wanted.passage
      LEFT JOIN ${shelf}_entries AS entry ON entry.document = passage.document
      LEFT JOIN documents ON documents.id = passage.document
      ${joinTitles("passage.document")}`;
  const admitted = `
    SELECT entry.document, documents.root, documents.path,
        entry.first_passage AS first, entry.passages AS count, titled.title
      FROM ${shelf}_entries AS entry
      JOIN documents ON documents.id = entry.document
      ${joinTitles("entry.document")}
     WHERE (documents.root ${inTexts("?1")} OR ?1::text IS NULL)
       AND (entry.document IN ${numbers("?2")} OR ?2::text IS NULL)`;

  return {
    *ofPassages(passages, owners) {
      const rows = yield* all<OwnerRow>(ofPassages, JSON.stringify(passages));
      if (rows.some(({ id, first }) => id === null || first === null)) throw staleState;
      owners.add(passages, rows.filter(isVisible));
    },
    *admittedBy({ roots, documents }, owners) {
      const rows = yield* all<OwningDocument>(
        admitted,
        roots === undefined ? null : JSON.stringify(roots),
        documents === undefined ? null : JSON.stringify(documents),
      );
      owners.admitOnly(rows);
    },
  };
}

type OwnerRow = { [Key in keyof OwningDocument]: OwningDocument[Key] | null } & {
  id: number | null;
};

const isVisible = (row: OwnerRow): row is OwningDocument & { id: number } => row.root !== null;
