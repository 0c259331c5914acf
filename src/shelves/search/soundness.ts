import {
  addDamaged,
  documentRange,
  documentsOutOfStep,
  documentsWithoutVectors,
  type VerifiedPart,
} from "../../kernel/damage.ts";
import { verifiedIndex, verifyEntries } from "../../kernel/index/soundness.ts";
import type { SearchState } from "./state.ts";
import { damagedAbouts, deleteAbout } from "./storage.ts";
import { damagedChunks, deleteChunks } from "./storage-chunks.ts";

const documentsPerStep = 20;

/** The index, and all that was read off documents. */
export const verifiedSearch: readonly VerifiedPart[] = [
  ...verifiedIndex("search"),
  {
    name: "documents",
    verify(db, after, damage) {
      const { range, next } = documentRange(db, after, documentsPerStep);
      const passages = verifyEntries(db, "search", range, damage);
      const chunks = damagedChunks(db, range);
      addDamaged(damage, "titles", damagedAbouts(db, range));
      addDamaged(damage, "vectors", chunks.damaged);
      addDamaged(damage, "vectors", documentsWithoutVectors(db, "search_chunks", range));
      const tables = ["search_entries", "search_documents"];
      addDamaged(damage, "entries", documentsOutOfStep(db, tables, range));
      return { next, rows: documentsPerStep + passages + chunks.rows };
    },
  },
];

/** Chunks find their vectors again by what was embedded, so nothing is embedded twice. */
export function forgetDamaged(
  { db, index }: SearchState,
  { documents, isBroken }: { documents: ReadonlySet<number>; isBroken: boolean },
): void {
  const ids = [...documents];
  if (isBroken) index.clear();
  else {
    index.change(({ remove }) => {
      for (const id of ids) remove(id);
    });
    index.dropStrays();
  }
  deleteAbout(db, ids);
  deleteChunks(db, ids);
}
