import { indexVerificationParts, verifyDocumentEntries } from "../../../kernel/index/integrity.ts";
import {
  addDamagedDocuments,
  documentsWithMismatchedRows,
  documentsWithoutVectors,
  type IntegrityCheck,
  nextDocumentRange,
} from "../../../kernel/integrity/damage.ts";
import { runSteps } from "../../../kernel/storage/sqlite-store.ts";
import type { SearchState } from "../state.ts";
import { deleteMetadata, findDamagedMetadata } from "../storage.ts";
import { deleteChunks, findDamagedChunks } from "../storage-chunks.ts";

const documentsPerStep = 20;

/** Verifies the index, and the metadata, chunks and entries of documents. */
export const verifiedSearchParts: readonly IntegrityCheck[] = [
  ...indexVerificationParts("search"),
  {
    name: "documents",
    verify(db, after, damage) {
      const { range, next } = nextDocumentRange(db, after, documentsPerStep);
      const passages = verifyDocumentEntries(db, "search", range, damage);
      const chunks = findDamagedChunks(db, range);
      addDamagedDocuments(damage, "titles", findDamagedMetadata(db, range));
      addDamagedDocuments(damage, "vectors", chunks.damaged);
      addDamagedDocuments(damage, "vectors", documentsWithoutVectors(db, "search_chunks", range));
      const tables = ["search_entries", "search_documents"];
      addDamagedDocuments(damage, "entries", documentsWithMismatchedRows(db, tables, range));
      return { next, rows: documentsPerStep + passages + chunks.rows };
    },
  },
];

/** Vectors are kept: the new chunks find them by content hash, so nothing is embedded twice. */
export function forgetDamagedDocuments(
  { db, index }: SearchState,
  { documents, isBroken }: { documents: ReadonlySet<number>; isBroken: boolean },
): void {
  const ids = [...documents];
  if (isBroken) runSteps(db, index.clear());
  else {
    const removeAll = index.change(({ remove }) => {
      for (const id of ids) remove(id);
    });
    runSteps(db, removeAll);
    runSteps(db, index.removeOrphans());
  }
  runSteps(db, deleteMetadata(ids));
  runSteps(db, deleteChunks(ids));
}
