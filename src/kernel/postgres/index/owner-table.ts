import type { PassageOwner } from "../../index/passage-owners.ts";
import type { PassageRange } from "../../index/ranking/phrase-filter.ts";
import type { FindTitles } from "../../index/ranking/titles.ts";
import type { MatchOptions } from "../../index/search-index.ts";
import { missingData, type ReadRequests, staleState } from "./read-requests.ts";

/** A visible document with its passages. */
export interface OwningDocument extends PassageRange {
  document: number;
  root: string;
  path: string;
  title: string | null;
}

/** The documents of passages, as far as they were read in a search. */
export interface OwnerTable {
  readonly isFiltered: boolean;
  /** As `FindPassageOwners`. */
  find(passages: readonly number[]): PassageOwner[];
  passagesOf(document: number): PassageRange;
  titlesOf: FindTitles;
  expect(passages: readonly number[]): void;
  /** Adds the owners of passages; a passage of a hidden document has none. */
  add(passages: Iterable<number>, documents: readonly OwningDocument[]): void;
  /** Sets the documents that the filters admit. The owners of all other passages are irrelevant. */
  admitOnly(documents: readonly OwningDocument[]): void;
}

export function createOwnerTable(
  { roots, documents }: MatchOptions,
  requests: ReadRequests,
): OwnerTable {
  const byDocument = new Map<number, OwningDocument>();
  const byPassage = new Map<number, OwningDocument | undefined>();
  const isFiltered = roots !== undefined || documents !== undefined;
  let expected: readonly number[] = [];
  let lookups = 0;
  let isPartial = true;

  return {
    isFiltered,
    find(passages) {
      const missing = isPartial ? passages.filter((passage) => !byPassage.has(passage)) : [];
      if (missing.length > 0) {
        // Under a narrow filter, reading what it admits takes less than reading owners over and over.
        if (isFiltered && lookups > 0) requests.admitted = true;
        else {
          for (const passage of [...missing, ...expected]) {
            if (!byPassage.has(passage)) requests.owners.add(passage);
          }
        }
        throw missingData;
      }
      return passages.flatMap((id) => {
        const owner = byPassage.get(id);
        return owner ? { id, document: owner.document, root: owner.root, path: owner.path } : [];
      });
    },
    passagesOf(document) {
      const found = byDocument.get(document);
      if (!found) throw staleState;
      return found;
    },
    titlesOf: (wanted) =>
      new Map(
        wanted.flatMap((document) => {
          const title = byDocument.get(document)?.title;
          return typeof title === "string" ? [[document, title] as const] : [];
        }),
      ),
    expect(passages) {
      expected = passages;
    },
    add(passages, found) {
      lookups++;
      for (const passage of passages) byPassage.set(passage, undefined);
      for (const document of found) setDocument(document);
    },
    admitOnly(found) {
      isPartial = false;
      byPassage.clear();
      for (const document of found) setDocument(document);
    },
  };

  function setDocument(document: OwningDocument): void {
    byDocument.set(document.document, document);
    const { first, count } = document;
    for (let passage = first; passage < first + count; passage++) byPassage.set(passage, document);
  }
}
