import type { Index, Match } from "../../kernel/index/contract.ts";
import { openMemoryIndex } from "../../kernel/index/memory.ts";
import { anchoredHeadings } from "../../text/anchors.ts";
import { isFunctionWord } from "../../text/function-words.ts";
import { sectionsOf } from "../../text/headings.ts";
import type { Query } from "../../text/query.ts";
import { wordsOf } from "../../text/tokens.ts";
import { type ArchitectureDocument, fragmentOf } from "./document.ts";

/** Finds sections of documents by their words, with the ranking that every shelf has. */
export interface DocumentIndex {
  /**
   * The documents among `within` that fit, each with its best section, best first. `all` is what
   * the index is brought to before it is asked.
   */
  find(
    all: readonly ArchitectureDocument[],
    query: Query,
    within?: readonly ArchitectureDocument[],
  ): FoundDocument[];
}

interface FoundDocument extends Omit<Match, "document"> {
  document: ArchitectureDocument;
}

/** A document that was read anew is another object, so a change of one costs its own indexing. */
export function openDocumentIndex(): DocumentIndex {
  let opened: Index | undefined;
  /** Who only reads a document needs no index. */
  const index = (): Index => {
    opened ??= openMemoryIndex();
    return opened;
  };
  let numbers = new Map<ArchitectureDocument, number>();
  let last = 0;

  function bringTo(all: readonly ArchitectureDocument[]): void {
    const before = numbers;
    const added: [number, ArchitectureDocument][] = [];
    numbers = new Map();
    for (const document of all) {
      const number = before.get(document) ?? ++last;
      if (!before.delete(document)) added.push([number, document]);
      numbers.set(document, number);
    }
    if (added.length === 0 && before.size === 0) return;
    index().change(({ put, remove }) => {
      for (const number of before.values()) remove(number);
      for (const [number, { title, name, lines }] of added) {
        put(number, { title, path: name, passages: sectionsOf(lines) });
      }
    });
  }

  return {
    find(all, query, within = all) {
      bringTo(all);
      const byNumber = new Map(within.map((document) => [numbers.get(document) ?? 0, document]));
      const documents = within === all ? undefined : [...byNumber.keys()];
      const matches = index().match(query, { limit: Math.max(within.length, 1), documents });
      return matches.flatMap(({ document: number, ...match }) => {
        const document = byNumber.get(number);
        return document ? [{ ...match, document }] : [];
      });
    },
  };
}

const mostWords = 300;

/** A text as a query for what it is about: nothing in it is an order to the index. */
export function plainQuery(text: string): Query {
  const words = [...new Set(wordsOf(text))].filter((word) => !isFunctionWord(word));
  return {
    words: words.slice(0, mostWords),
    fillers: [],
    beginnings: [],
    phrases: [],
    without: [],
  };
}

/** The URI of the section that a line lies in; of the whole document above its first section. */
export function sectionUri({ uri, lines }: ArchitectureDocument, line: number): string {
  let anchor = "";
  for (const heading of anchoredHeadings(lines)) {
    if (heading.line > line) break;
    anchor = heading.depth === 1 ? "" : heading.anchor;
  }
  return uri + fragmentOf(anchor);
}
