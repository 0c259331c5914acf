import { elementAt } from "../../../text/arrays/element-at.ts";
import type { Lexicon, LexiconWord, TokenStream } from "../../../text/search/lexicon.ts";
import type { Database } from "../../storage/database.ts";
import { changeStampTable, openChangeStamp } from "../change-stamp.ts";
import { type BlockRow, blockChecksum, blockId, maxBuckets, verifiedBlock } from "../integrity.ts";
import {
  bucketOfHash,
  encodeBlock,
  encodeLists,
  findList,
  findPostingList,
  hashTerm,
  readBlockEntries,
} from "./blocks.ts";
import { bucketsFor, termsByBucket } from "./buckets.ts";
import { createListCache } from "./list-cache.ts";
import { createMergedLists, type MergeSource, mergeRange, rangesToMerge } from "./merge.ts";
import { segmentsToMerge } from "./merge-policy.ts";
import { openPositions, type TermPositions } from "./positions.ts";
import {
  type PostingColumns,
  readPostings,
  readTitledPostings,
  sizeOfPostings,
} from "./postings.ts";
import { type BuiltSegment, createSegmentBuilder, type FieldTokens } from "./segment-builder.ts";
import { createByteWriter } from "./varint.ts";

/**
 * The inverted index: the posting list of every term, in immutable segments as in an LSM tree. Each
 * batch of documents writes one segment. Passage numbers only increase, so the lists of a term,
 * concatenated in segment order, are one ascending list. A removed passage gets a tombstone: it is
 * skipped when lists are read, and dropped when segments are merged.
 *
 * ```
 * term   segment 1          segment 2      segment 3
 * lamp   [1 4 9]            [12]           –             ← read as 1 4 9 12
 * tower  [4]                –              [21 22]
 * ```
 */
export interface Segments extends SegmentReader {
  /**
   * Runs the work and writes one segment with the passages that it added; none if it throws.
   * Returns the distinct words that were added, with their tokens.
   */
  buildSegment(work: () => void): LexiconWord[];
  /** Adds a passage: the tokens of its body and other fields. See `SegmentBuilder`. */
  add(passage: number, body: TokenStream, fields: readonly FieldTokens[], length?: number): void;
  remove(passages: readonly number[]): void;
  /** The same reads for one query, in one snapshot: whether the caches are valid is checked once. */
  snapshotReader(): SegmentReader;
  /** Deletes all postings, when they are damaged. */
  clear(): void;
  /** Merges all segments into one, without removed passages. Returns the remaining terms. */
  mergeAll(): string[];
}

interface SegmentReader {
  read(term: string): PostingColumns;
  /**
   * Only the postings with the term in the title or headings, without positions. They are cached
   * apart, because those of a function word are many.
   */
  readTitled(term: string): PostingColumns;
  /** The positions for the postings of `read`. They are stored apart, for searches that need them. */
  readPositions(term: string): TermPositions;
  /** The terms that contain a character. Terms are stored by hash, so this scans all of them. */
  termsContaining(char: string): string[];
}

export const segmentTables = (shelf: string): string => `
  CREATE TABLE ${shelf}_segments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    first_passage INTEGER NOT NULL,
    postings INTEGER NOT NULL,
    -- A power of two. Each bucket has the terms with a range of hashes, and a row, even if it is empty.
    buckets INTEGER NOT NULL
  );
  ${blockTable(`${shelf}_postings`)}
  -- The positions of the same terms in the same order.
  ${blockTable(`${shelf}_positions`)}
  CREATE TABLE ${shelf}_removed (passage INTEGER PRIMARY KEY);
  ${changeStampTable(`${shelf}_postings_stamp`)}`;

/** One number as the key: SQLite fills pages of such tables to the end, of others to two thirds. */
const blockTable = (name: string): string => `CREATE TABLE ${name} (
    -- The segment's id · 2^20 + the bucket.
    id INTEGER PRIMARY KEY,
    block BLOB NOT NULL,
    sum INTEGER NOT NULL
  );`;

interface Segment {
  id: number;
  firstPassage: number;
  postings: number;
  buckets: number;
}

export function openSegments(db: Database, shelf: string, lexicon: Lexicon): Segments {
  const insertInto = (table: BlockTable): string =>
    `INSERT INTO ${shelf}_${table} (id, block, sum) VALUES (?, ?, ?)`;
  const insertBlock = { postings: insertInto("postings"), positions: insertInto("positions") };
  const builder = createSegmentBuilder();
  const writer = createByteWriter();
  const stamp = openChangeStamp(db, `${shelf}_postings_stamp`);
  // Successive queries often share words, as while a query is being typed.
  const caches = {
    all: createListCache<PostingColumns>(24 * mebibyte, sizeOfPostings),
    titled: createListCache<PostingColumns>(8 * mebibyte, sizeOfPostings),
    positions: createListCache<TermPositions>(8 * mebibyte, ({ bytes }) => bytes),
  };
  let cachedStamp: number | undefined;
  let removed: { passages: ReadonlySet<number>; stamp: number } | undefined;

  return {
    add: builder.add,
    remove(passages) {
      db.run(
        `INSERT OR IGNORE INTO ${shelf}_removed SELECT value FROM json_each(?)`,
        JSON.stringify(passages),
      );
      stamp.renew();
    },
    buildSegment(work) {
      lexicon.startBatch();
      try {
        work();
        const first = builder.firstPassage();
        if (first !== undefined) writeSegment(first, builder.build(lexicon.tokenOf));
        const toMerge = segmentsToMerge(allSegments(), removedShare());
        if (toMerge.length > 0) mergeSegments(toMerge);
        return lexicon.words();
      } finally {
        builder.clear();
      }
    },
    read: (term) => snapshotReader().read(term),
    readTitled: (term) => snapshotReader().readTitled(term),
    readPositions: (term) => snapshotReader().readPositions(term),
    termsContaining,
    snapshotReader,
    clear() {
      for (const table of ["segments", "postings", "positions", "removed"]) {
        db.run(`DELETE FROM ${shelf}_${table}`);
      }
      stamp.renew();
    },
    mergeAll() {
      const segments = allSegments();
      return segments.length > 0 ? mergeSegments(segments) : [];
    },
  };

  function snapshotReader(): SegmentReader {
    const { all, titled, positions } = currentCaches();
    const read = (term: string): PostingColumns =>
      all.get(term, () => {
        const lists = listsOf(term);
        return readPostings(lists, removedFrom(lists));
      });
    return {
      read,
      readTitled: (term) =>
        titled.get(term, () => {
          const lists = listsOf(term);
          return readTitledPostings(lists, removedFrom(lists));
        }),
      readPositions: (term) =>
        positions.get(term, () => {
          const blocks = blocksOf("positions", term);
          const lists = blocksOf("postings", term).flatMap((block, segment) => {
            const entry = findPostingList(block, term);
            // A copy: a part of a block would keep all of it in memory.
            return entry ? [findList(elementAt(blocks, segment), entry.index).slice()] : [];
          });
          return openPositions(read(term), lists);
        }),
      termsContaining,
    };
  }

  function termsContaining(char: string): string[] {
    const rows = db.all<BlockRow>(
      `SELECT id, block, sum FROM ${shelf}_postings WHERE instr(block, ?) > 0`,
      Buffer.from(char),
    );
    const terms = rows.flatMap((row) =>
      [...readBlockEntries(verifiedBlock(row))].map(({ term }) => term),
    );
    return [...new Set(terms.filter((term) => term.includes(char)))];
  }

  /** The encoded posting lists of a term, one of each segment that has it. */
  function listsOf(term: string): Uint8Array[] {
    return blocksOf("postings", term).flatMap((block) => findPostingList(block, term)?.list ?? []);
  }

  function removedFrom(lists: readonly Uint8Array[]): ReadonlySet<number> {
    return lists.length === 0 ? new Set() : removedPassages();
  }

  function currentCaches(): typeof caches {
    const now = stamp.read();
    if (cachedStamp !== now) for (const cache of Object.values(caches)) cache.clear();
    cachedStamp = now;
    return caches;
  }

  /** The block of each segment that may contain a term. */
  function blocksOf(table: BlockTable, term: string): Uint8Array[] {
    const rows = db.all<Partial<BlockRow>>(
      `SELECT blocks.id, block, blocks.sum FROM ${shelf}_segments AS segments
           LEFT JOIN ${shelf}_${table} AS blocks
             ON blocks.id = segments.id * ${maxBuckets} + ${bucketOfHash}
          ORDER BY segments.id`,
      hashTerm(term),
    );
    return rows.map(verifiedBlock);
  }

  function writeSegment(first: number, built: BuiltSegment): void {
    const buckets = bucketsFor(built.terms.length, termsPerBlock.batch);
    writeRange(insertSegment(first, built.count, buckets), built, 0, 1);
  }

  function insertSegment(firstPassage: number, postings: number, buckets: number): Segment {
    stamp.renew();
    const id = db.run(
      `INSERT INTO ${shelf}_segments (first_passage, postings, buckets) VALUES (?, ?, ?)`,
      firstPassage,
      postings,
      buckets,
    ).lastId;
    return { id, firstPassage, postings, buckets };
  }

  /** Writes the buckets of one of several ranges of hashes. */
  function writeRange(
    { id, buckets }: Segment,
    built: BuiltSegment,
    range: number,
    ranges: number,
  ): void {
    const first = (range * buckets) / ranges;
    const blocks = termsByBucket(built, buckets, range, ranges);
    for (const [index, numbers] of blocks.entries()) {
      const block = blockId(id, first + index);
      writeBlock("postings", block, encodeBlock(built.terms, built.postings, numbers, writer));
      writeBlock("positions", block, encodeLists(built.positions, numbers, writer));
    }
  }

  function writeBlock(table: BlockTable, id: number, block: Uint8Array): void {
    db.run(insertBlock[table], id, block, blockChecksum({ id, block }));
  }

  function mergeSource({ id, buckets, postings }: Segment): MergeSource {
    return {
      buckets,
      postings,
      blocksIn(from, to) {
        const [firstId, endId] = [blockId(id, from), blockId(id, to)];
        const positions = blocksIn("positions", firstId, endId);
        return blocksIn("postings", firstId, endId).map((block, index) => ({
          postings: block,
          positions: elementAt(positions, index),
        }));
      },
    };
  }

  /** Damaged data must not get a valid checksum by being copied into another segment. */
  function blocksIn(table: BlockTable, from: number, to: number): Uint8Array[] {
    const rows = db.all<BlockRow>(
      `SELECT id, block, sum FROM ${shelf}_${table} WHERE id >= ? AND id < ? ORDER BY id`,
      from,
      to,
    );
    return rows.map(verifiedBlock);
  }

  function allSegments(): Segment[] {
    return db.all(
      `SELECT id, first_passage AS firstPassage, postings, buckets FROM ${shelf}_segments ORDER BY id`,
    );
  }

  /** Merges the given newest segments into one, without removed passages. Returns its terms. */
  function mergeSegments(segments: readonly Segment[]): string[] {
    const removed = removedPassages();
    const isWholeIndex = allSegments().length === segments.length;
    const first = elementAt(segments, 0).firstPassage;
    const sources = segments.map(mergeSource);
    const ranges = rangesToMerge(sources);
    const lists = createMergedLists();
    const terms: string[] = [];
    let postings = 0;
    let merged: Segment | undefined;
    for (let range = 0; range < ranges; range++) {
      const part = mergeRange(sources, range, ranges, removed, lists);
      // Hashes are uniform, so all ranges have about as many terms as the first.
      merged ??= insertSegment(
        first,
        0,
        Math.max(ranges, bucketsFor(part.terms.length * ranges, termsPerBlock.merged)),
      );
      writeRange(merged, part, range, ranges);
      postings += part.count;
      for (const term of part.terms) terms.push(term);
    }
    db.run(`UPDATE ${shelf}_segments SET postings = ? WHERE id = ?`, postings, merged?.id ?? 0);
    for (const { id } of segments) {
      db.run(`DELETE FROM ${shelf}_segments WHERE id = ?`, id);
      for (const table of ["postings", "positions"]) {
        const range = [blockId(id, 0), blockId(id + 1, 0)];
        db.run(`DELETE FROM ${shelf}_${table} WHERE id >= ? AND id < ?`, ...range);
      }
    }
    // A removed passage without words is in no segment: its number may precede the first segment.
    db.run(`DELETE FROM ${shelf}_removed WHERE passage >= ?`, isWholeIndex ? 0 : first);
    stamp.renew();
    return terms;
  }

  function removedShare(): number {
    const row = db.get<{ share: number | null }>(
      `SELECT (SELECT count(*) FROM ${shelf}_removed) * 1.0 / (1000 + passages) AS share
         FROM ${shelf}_totals`,
    );
    return row?.share ?? 0;
  }

  function removedPassages(): ReadonlySet<number> {
    const now = stamp.read();
    if (removed?.stamp !== now) {
      const rows = db.all<{ passage: number }>(`SELECT passage FROM ${shelf}_removed`);
      removed = { passages: new Set(rows.map(({ passage }) => passage)), stamp: now };
    }
    return removed.passages;
  }
}

const mebibyte = 1024 * 1024;

type BlockTable = "postings" | "positions";

/** Segments of single batches are soon merged: fewer, larger blocks are written faster. */
const termsPerBlock = { batch: 64, merged: 32 };
