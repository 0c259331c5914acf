import { openMemoryIndex } from "../../../kernel/index/memory-index.ts";
import type { Match, SyncSearchIndex } from "../../../kernel/index/search-index.ts";
import { headingsWithAnchors } from "../../../text/markdown/heading-anchors.ts";
import { splitSections } from "../../../text/markdown/headings.ts";
import { isFunctionWord } from "../../../text/search/function-words.ts";
import type { Query } from "../../../text/search/query.ts";
import { splitWords } from "../../../text/search/tokens.ts";
import { type ArchitectureDocument, uriFragment } from "./document.ts";

/** Full-text search in sections of documents, with the BM25 ranking that all shelves share. */
export interface DocumentIndex {
  /**
   * The documents of `within` that match, each with its best section, best first. The index is
   * updated to contain exactly `all` first.
   */
  search(
    all: readonly ArchitectureDocument[],
    query: Query,
    within?: readonly ArchitectureDocument[],
  ): DocumentMatch[];
}

interface DocumentMatch extends Omit<Match, "document"> {
  document: ArchitectureDocument;
}

/**
 * Documents are compared by identity: a re-read document is a new object, so only changed documents
 * are indexed again.
 */
export function createDocumentIndex(): DocumentIndex {
  let memoryIndex: SyncSearchIndex | undefined;
  /** Created on the first search. */
  const index = (): SyncSearchIndex => {
    memoryIndex ??= openMemoryIndex();
    return memoryIndex;
  };
  let numbers = new Map<ArchitectureDocument, number>();
  let lastNumber = 0;

  function syncTo(all: readonly ArchitectureDocument[]): void {
    const previous = numbers;
    const added: [number, ArchitectureDocument][] = [];
    numbers = new Map();
    for (const document of all) {
      const number = previous.get(document) ?? ++lastNumber;
      if (!previous.delete(document)) added.push([number, document]);
      numbers.set(document, number);
    }
    if (added.length === 0 && previous.size === 0) return;
    index().change(({ put, remove }) => {
      for (const number of previous.values()) remove(number);
      for (const [number, { title, name, lines }] of added) {
        put(number, { title, path: name, passages: splitSections(lines) });
      }
    });
  }

  return {
    search(all, query, within = all) {
      syncTo(all);
      const byNumber = new Map(
        within.flatMap((document) => {
          const number = numbers.get(document);
          return number === undefined ? [] : [[number, document] as const];
        }),
      );
      const documents = within === all ? undefined : [...byNumber.keys()];
      const matches = index().match(query, { limit: Math.max(within.length, 1), documents });
      return matches.flatMap(({ document: number, ...match }) => {
        const document = byNumber.get(number);
        return document ? [{ ...match, document }] : [];
      });
    },
  };
}

const maxQueryWords = 300;

/** A query for the content words of a text; query syntax in it has no effect. */
export function plainTextQuery(text: string): Query {
  const words = [...new Set(splitWords(text))].filter((word) => !isFunctionWord(word));
  return {
    words: words.slice(0, maxQueryWords),
    functionWords: [],
    prefixes: [],
    phrases: [],
    excluded: [],
    sequence: [],
  };
}

/**
 * The URI of the section that contains a line; of the whole document if it is above the first
 * section.
 */
export function sectionUri({ uri, lines }: ArchitectureDocument, line: number): string {
  let anchor = "";
  for (const heading of headingsWithAnchors(lines)) {
    if (heading.line > line) break;
    anchor = heading.depth === 1 ? "" : heading.anchor;
  }
  return uri + uriFragment(anchor);
}
