import type { Query } from "../../../text/search/query.ts";
import type { RankingSource } from "../../index/ranking/ranking-source.ts";
import type { MatchOptions } from "../../index/search-index.ts";
import { readBlockEntries } from "../../index/segments/blocks.ts";
import type { IndexedWord } from "../../index/spelling.ts";
import { all, type Steps } from "../../storage/steps.ts";
import { type Blocks, hashesOf, keepLists, missingBlocks } from "./block-reads.ts";
import { type IndexState, parseState } from "./index-state.ts";
import { createOwnerReads } from "./owner-reads.ts";
import { createOwnerTable, type OwnerTable } from "./owner-table.ts";
import { predictReads } from "./prediction.ts";
import { createRequests, needsIndex, type ReadRequests, staleState } from "./read-requests.ts";
import { type ReadRow, readStatement } from "./read-statement.ts";
import { createSearchMemory, currentWords, extendWords } from "./search-memory.ts";
import { createStoredSource } from "./stored-source.ts";
import { emptyWordCopy, type WordCopy } from "./word-copy.ts";
import { createWordLookups } from "./word-lookups.ts";

/** What one search has read. */
interface Reading {
  readonly source: RankingSource;
  /** What the source missed. */
  readonly requests: ReadRequests;
  readonly state: IndexState;
  readonly options: MatchOptions;
  readonly owners: OwnerTable;
  readonly usesPositions: boolean;
  /** Whether the transaction has written: what it reads may be rolled back. */
  readonly isOwnWrite: boolean;
  words: WordCopy;
  readonly answers: Map<string, readonly IndexedWord[]>;
  readonly characters: Map<string, readonly string[]>;
}

export interface IndexReads {
  /** Reads the state of the index and what the query probably needs. */
  begin(query: Query, options: MatchOptions): Steps<Reading>;
  /** Reads what was missing. */
  continue(reading: Reading): Steps<void>;
}

/** Of so few words, positions are read with the lists. */
const maxWithPositions = 8;

export function openIndexReads(shelf: string, titles: string): IndexReads {
  const memory = createSearchMemory();
  const ownerReads = createOwnerReads(shelf, titles);
  const statement = readStatement(shelf);
  const blocksWith = `SELECT block FROM ${shelf}_postings WHERE position(? IN block) > 0`;

  return {
    *begin(query, options) {
      const { requests: predicted, usesPositions } = predictReads(query, memory);
      const { state: before, words: wordsBefore } = memory;
      const from = wordsBefore.last;
      const { rows, text } = yield* read(predicted, before, from, true);
      const { state, isOwnWrite } = parseState(text, before);
      const requests = createRequests();
      const owners = createOwnerTable(options, requests);
      const answers = new Map<string, readonly IndexedWord[]>();
      const characters = new Map<string, readonly string[]>();
      const reading: Omit<Reading, "source"> = {
        requests,
        state,
        options,
        owners,
        usesPositions,
        isOwnWrite,
        words: wordsBefore,
        answers,
        characters,
      };
      if (!isOwnWrite) memory.state = state;
      keepLists(state, predicted, memory.lists, blocksOf(rows));
      keepWords(reading, predicted, rows, wordsBefore, from);
      const words = createWordLookups(answers, () => currentWords(reading.words, state), requests);
      const { lists } = memory;
      const source = createStoredSource({ state, lists, words, owners, characters, requests });
      return Object.assign(reading, { source });
    },
    *continue(reading) {
      const { state, owners, options, characters } = reading;
      const requests = { ...reading.requests };
      Object.assign(reading.requests, createRequests());
      if (needsIndex(requests)) yield* readMissing(reading, requests);
      if (requests.owners.size > 0) yield* ownerReads.ofPassages([...requests.owners], owners);
      if (requests.admitted) yield* ownerReads.admittedBy(options, owners);
      for (const character of requests.characters) {
        characters.set(character, yield* termsContaining(character, state));
      }
    },
  };

  function* readMissing(reading: Reading, requests: ReadRequests): Steps<void> {
    const { state, usesPositions } = reading;
    if (usesPositions && requests.lists.size <= maxWithPositions) {
      for (const term of requests.lists) requests.positions.add(term);
    }
    const before = reading.words;
    const isSame = before.table === state.table && before.wordsStamp === state.wordsStamp;
    const from = isSame ? before.last : 0;
    const { rows } = yield* read(requests, state, from, false);
    if (!keepLists(state, requests, memory.lists, blocksOf(rows))) throw staleState;
    keepWords(reading, requests, rows, before, from);
    // Words were deleted in the meantime.
    if (requests.allWords && !currentWords(reading.words, state)) throw staleState;
  }

  /** One statement. Lists of segments that are newer than the state are read, too, if it is. */
  function* read(
    requests: ReadRequests,
    state: IndexState,
    wordsFrom: number,
    withState: boolean,
  ): Steps<{ rows: ReadRow[]; text: string }> {
    const { lists, titled, positions, words, allWords } = requests;
    const missing = missingBlocks(state, requests, memory.lists);
    const rows = yield* all<ReadRow>(
      statement,
      withState ? 1 : 0,
      state.lastRemoved,
      JSON.stringify(missing.postings),
      JSON.stringify(missing.positions),
      JSON.stringify(withState ? hashesOf(lists, titled, positions) : []),
      JSON.stringify(withState ? hashesOf(positions) : []),
      state.segments.at(-1)?.id ?? 0,
      JSON.stringify([...words.values()].map((request, number) => ({ ...request, number }))),
      allWords ? wordsFrom : null,
    );
    return { rows, text: rows.find(({ kind }) => kind === "state")?.data ?? "" };
  }

  function keepWords(
    reading: Omit<Reading, "source">,
    { words, allWords }: ReadRequests,
    rows: readonly ReadRow[],
    before: WordCopy,
    from: number,
  ): void {
    const keys = [...words.keys()];
    for (const { kind, id, data } of rows) {
      const key = kind === "words" ? keys[id] : undefined;
      if (key === undefined) continue;
      const found: [word: string, token: string][] = JSON.parse(data ?? "[]");
      reading.answers.set(
        key,
        found.map(([word, token]) => ({ word, token })),
      );
    }
    if (!allWords) return;
    const row = rows.find(({ kind }) => kind === "copy");
    const added = row && { text: row.data ?? "", last: row.id };
    const copy = extendWords(before, from, added, reading.state);
    reading.words = copy ?? emptyWordCopy;
    if (copy && !reading.isOwnWrite) memory.words = copy;
  }

  function* termsContaining(character: string, { segments }: IndexState): Steps<string[]> {
    if (segments.length === 0) return [];
    const rows = yield* all<{ block: Uint8Array }>(blocksWith, Buffer.from(character));
    const terms = rows.flatMap(({ block }) => [...readBlockEntries(block)].map(({ term }) => term));
    return [...new Set(terms.filter((term) => term.includes(character)))];
  }
}

function blocksOf(rows: readonly ReadRow[]): Blocks {
  const blocks = {
    postings: new Map<number, Uint8Array>(),
    positions: new Map<number, Uint8Array>(),
  };
  for (const { kind, id, block } of rows) {
    if (block && (kind === "postings" || kind === "positions")) blocks[kind].set(id, block);
  }
  return blocks;
}
