import type { Lexicon } from "../../text/lexicon.ts";
import type { Database } from "../database.ts";
import { type BlockEntry, bucketOf, entriesOf, hashOfTerm, listIn, packBlock } from "./blocks.ts";
import { type Mark, openGathering, type Packed } from "./gathering.ts";
import { addPosting, bytesOf, makeList, type PostingColumns, readPostings } from "./postings.ts";
import { type BlockRow, soundBlock, sumOfBlock } from "./soundness.ts";
import { openStamp, stampTable } from "./stamp.ts";

/**
 * The inverted index: for every token the passages it stands in. What one batch of documents
 * brings is one segment, written once; passages only ever get higher numbers, so the lists of a
 * token in the order of their segments are one ascending list. A removed passage is noted, and
 * left out when lists are read; when segments are joined it disappears.
 *
 * ```
 * term   segment 1          segment 2      segment 3
 * lamp   [1 4 9]            [12]           –             ← read as 1 4 9 12
 * tower  [4]                –              [21 22]
 * ```
 */
export interface Segments {
  /**
   * Runs the work and makes one segment of what it added; where it throws, of nothing. Gives the
   * words that were added, each once.
   */
  gather(work: () => void): string[];
  /** A passage: the tokens of its body and of its other fields, by their numbers in the lexicon. */
  add(passage: number, body: Int32Array, marks: readonly Mark[]): void;
  remove(passages: readonly number[]): void;
  read(term: string): PostingColumns;
  /** The terms that hold a letter. Terms lie by their hashes, so all are looked through. */
  termsWith(letter: string): string[];
  /** Forgets all postings, where they are damaged. */
  clear(): void;
  /** Makes one segment of all, without what is gone. Gives the terms that are left. */
  joinAll(): string[];
}

export const segmentTables = (shelf: string): string => `
  CREATE TABLE ${shelf}_segments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    first_passage INTEGER NOT NULL,
    postings INTEGER NOT NULL,
    -- A power of two; a term lies in the one that its hash tells. Each has a row, if an empty one.
    buckets INTEGER NOT NULL
  );
  CREATE TABLE ${shelf}_postings (
    segment INTEGER NOT NULL,
    bucket INTEGER NOT NULL,
    block BLOB NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (segment, bucket)
  ) WITHOUT ROWID;
  CREATE TABLE ${shelf}_removed (passage INTEGER PRIMARY KEY);
  ${stampTable(`${shelf}_postings_stamp`)}`;

interface Segment {
  id: number;
  firstPassage: number;
  postings: number;
}

export function openSegments(db: Database, shelf: string, lexicon: Lexicon): Segments {
  const gathering = openGathering();
  const stamp = openStamp(db, `${shelf}_postings_stamp`);
  // Words are asked for again and again, in a query that grows and in one that is put another way.
  let decoded = { stamp: Number.NaN, lists: new Map<string, PostingColumns>(), postings: 0 };
  let removed: { passages: ReadonlySet<number>; stamp: number } | undefined;

  return {
    add: gathering.add,
    remove(passages) {
      db.run(
        `INSERT OR IGNORE INTO ${shelf}_removed SELECT value FROM json_each(?)`,
        JSON.stringify(passages),
      );
      stamp.renew();
    },
    gather(work) {
      lexicon.begin();
      try {
        work();
        const first = gathering.first();
        if (first !== undefined) writeSegment(first, gathering.packed(lexicon.tokenOf));
        const outgrown = segmentsToJoin(allSegments(), shareRemoved());
        if (outgrown.length > 0) join(outgrown);
        return lexicon.words();
      } finally {
        gathering.clear();
      }
    },
    read(term) {
      const now = stamp.read();
      if (decoded.stamp !== now || decoded.postings > mostDecoded) {
        decoded = { stamp: now, lists: new Map(), postings: 0 };
      }
      const known = decoded.lists.get(term) ?? readAll(term);
      if (!decoded.lists.has(term)) decoded.postings += known.count;
      decoded.lists.set(term, known);
      return known;
    },
    termsWith(letter) {
      const rows = db.all<BlockRow>(
        `SELECT segment, bucket, block, sum FROM ${shelf}_postings WHERE instr(block, ?) > 0`,
        Buffer.from(letter),
      );
      const terms = rows.flatMap((row) => [...entriesOf(soundBlock(row))].map(({ term }) => term));
      return [...new Set(terms.filter((term) => term.includes(letter)))];
    },
    clear() {
      for (const table of ["segments", "postings", "removed"]) {
        db.run(`DELETE FROM ${shelf}_${table}`);
      }
      stamp.renew();
    },
    joinAll() {
      const segments = allSegments();
      return segments.length > 0 ? join(segments).entries.map(({ term }) => term) : [];
    },
  };

  function readAll(term: string): PostingColumns {
    const rows = db.all<Partial<BlockRow>>(
      `SELECT segment, bucket, block, postings.sum FROM ${shelf}_segments AS segments
           LEFT JOIN ${shelf}_postings AS postings
             ON postings.segment = segments.id AND bucket = ? & (buckets - 1)
          ORDER BY segments.id`,
      hashOfTerm(term),
    );
    const found = rows.flatMap((row) => listIn(soundBlock(row), term) ?? []);
    return readPostings(found, found.length === 0 ? new Set() : removedPassages());
  }

  /** Entries are put in buckets, so few in each that a term is read with few others. */
  function writeSegment(first: number, { entries, postings }: Packed): void {
    const buckets = 2 ** Math.max(0, Math.ceil(Math.log2(entries.length / termsInBlock)));
    stamp.renew();
    const segment = db.run(
      `INSERT INTO ${shelf}_segments (first_passage, postings, buckets) VALUES (?, ?, ?)`,
      first,
      postings,
      buckets,
    ).lastId;
    const blocks: BlockEntry[][] = Array.from({ length: buckets }, () => []);
    for (const entry of entries) blocks[bucketOf(hashOfTerm(entry.term), buckets)]?.push(entry);
    for (const [bucket, entries] of blocks.entries()) {
      const block = packBlock(entries);
      db.run(
        `INSERT INTO ${shelf}_postings (segment, bucket, block, sum) VALUES (?, ?, ?, ?)`,
        segment,
        bucket,
        block,
        sumOfBlock({ segment, bucket, block }),
      );
    }
  }

  function allSegments(): Segment[] {
    return db.all(
      `SELECT id, first_passage AS firstPassage, postings FROM ${shelf}_segments ORDER BY id`,
    );
  }

  /** The newest segments become one, without what is gone. */
  function join(segments: readonly Segment[]): Packed {
    const gone = removedPassages();
    const joined = new Map<string, Uint8Array[]>();
    for (const { id } of segments) {
      const rows = db.all<BlockRow>(
        `SELECT segment, bucket, block, sum FROM ${shelf}_postings WHERE segment = ?`,
        id,
      );
      // Damage must not be carried into a new segment, where its checksum would be right.
      for (const { term, list } of rows.flatMap((row) => [...entriesOf(soundBlock(row))])) {
        const known = joined.get(term);
        if (known) known.push(list);
        else joined.set(term, [list]);
      }
    }
    const whole = allSegments().length === segments.length;
    const first = segments[0]?.firstPassage ?? 0;
    const packed = rewritten(joined, gone);
    writeSegment(first, packed);
    const ids = JSON.stringify(segments.map(({ id }) => id));
    for (const table of [`${shelf}_postings WHERE segment`, `${shelf}_segments WHERE id`]) {
      db.run(`DELETE FROM ${table} IN (SELECT value FROM json_each(?))`, ids);
    }
    // A passage without a word stands in no segment, so it may come before the first of them.
    db.run(`DELETE FROM ${shelf}_removed WHERE passage >= ?`, whole ? 0 : first);
    stamp.renew();
    return packed;
  }

  function shareRemoved(): number {
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

/** So many postings are remembered at most; each takes fifteen bytes. */
const mostDecoded = 1_000_000;

/** So many segments of one size become one; a reader meets a few dozen at most. */
const joinedAtOnce = 16;

/**
 * The newest segments that are ready to become one: as many as `joinedAtOnce` of about the same
 * size or smaller, none of which holds more than all others together. So each time that a posting
 * is copied, its segment at least doubles, and the small changes behind a large library do not copy
 * it again and again. Only the smallest are joined whatever they hold. All are joined when a third
 * of what they hold is gone.
 */
export function segmentsToJoin<Sized extends { postings: number }>(
  segments: readonly Sized[],
  shareRemoved: number,
): readonly Sized[] {
  if (shareRemoved > 1 / 3) return segments;
  const sizeOf = ({ postings }: Sized) => Math.max(0, Math.floor(Math.log2(postings / 1_000) / 3));
  const largest = Math.max(0, ...segments.map(sizeOf));
  for (let size = 0; size <= largest; size++) {
    const larger = segments.findLastIndex((segment) => sizeOf(segment) > size);
    const newest = segments.slice(larger + 1);
    if (newest.length >= joinedAtOnce && (size === 0 || !isMostlyOne(newest))) return newest;
  }
  return [];
}

function isMostlyOne(segments: readonly { postings: number }[]): boolean {
  const sizes = segments.map(({ postings }) => postings);
  return Math.max(...sizes) * 2 > sizes.reduce((sum, size) => sum + size, 0);
}

const termsInBlock = 16;

/** Each list is ended before the next is begun: together they may be as large as the index. */
function rewritten(
  joined: ReadonlyMap<string, readonly Uint8Array[]>,
  gone: ReadonlySet<number>,
): Packed {
  const entries: BlockEntry[] = [];
  let postings = 0;
  for (const [term, parts] of joined) {
    const { count, passages, times, places, lengths } = readPostings(parts, gone);
    if (count === 0) continue;
    const list = makeList();
    for (let row = 0; row < count; row++) {
      addPosting(list, passages[row] ?? 0, times[row] ?? 0, places[row] ?? 0, lengths[row] ?? 0);
    }
    entries.push({ term, list: bytesOf(list) });
    postings += count;
  }
  return { entries, postings };
}
