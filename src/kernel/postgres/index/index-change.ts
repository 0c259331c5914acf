import { type LexiconWord, openLexicon } from "../../../text/search/lexicon.ts";
import type { IndexChanges, IndexedDocument } from "../../index/search-index.ts";
import { bucketsFor } from "../../index/segments/buckets.ts";
import { documentTokens } from "../../index/segments/document-tokens.ts";
import { segmentsToMerge } from "../../index/segments/merge-policy.ts";
import { createSegmentBuilder } from "../../index/segments/segment-builder.ts";
import { isTypeable } from "../../index/spelling.ts";
import { get, run, type Steps, transaction } from "../../storage/steps.ts";
import { type EncodedBlocks, encodeRange, writeBlocks } from "./block-writes.ts";
import type { StoredSegment } from "./index-state.ts";
import { numbers } from "./read-statement.ts";
import { mergeSegments, newStamp } from "./segment-merges.ts";

/** Segments of single batches are soon merged. */
const termsPerBlock = 64;

const maxKnownWords = 200_000;

/** Documents by number; undefined for those to be removed. */
type Changes = ReadonlyMap<number, IndexedDocument | undefined>;

export interface IndexWriter {
  change(work: (changes: IndexChanges) => void): Steps<void>;
}

/**
 * Writes a batch of documents as one segment, in a handful of statements however many documents there
 * are, because each statement is a round trip.
 */
export function openIndexWriter(shelf: string): IndexWriter {
  const lexicon = openLexicon();
  const builder = createSegmentBuilder();
  /** Words that were written up to the change with this stamp. */
  let known = { words: new Set<string>(), stamp: Number.NaN };

  function collect(work: (changes: IndexChanges) => void): Changes {
    const changes = new Map<number, IndexedDocument | undefined>();
    const set = (document: number, entry: IndexedDocument | undefined): void => {
      changes.delete(document);
      changes.set(document, entry);
    };
    work({ put: set, remove: (document) => set(document, undefined) });
    return changes;
  }

  /** Everything is tokenised and copied at once, because the buffers are shared by all batches. */
  function build(changes: Changes, { passage, segment, stamp }: Reserved): Batch {
    if (known.stamp !== stamp || known.words.size > maxKnownWords) {
      known = { words: new Set(), stamp };
    }
    const batch: Batch = { passages: [], entries: [], tokens: 0, words: [], segment: undefined };
    lexicon.startBatch();
    try {
      for (const [document, entry] of changes) {
        if (entry) addDocument(batch, document, entry, passage);
      }
      const first = builder.firstPassage();
      if (first !== undefined) {
        const built = builder.build(lexicon.tokenOf);
        const buckets = bucketsFor(built.terms.length, termsPerBlock);
        batch.segment = {
          row: { id: segment, firstPassage: first, postings: built.count, buckets },
          blocks: encodeRange({ id: segment, buckets }, built, 0, 1),
        };
      }
      batch.words = lexicon.words().filter(([word]) => !known.words.has(word) && isTypeable(word));
    } finally {
      builder.clear();
    }
    return batch;
  }

  function addDocument(
    batch: Batch,
    document: number,
    entry: IndexedDocument,
    firstPassage: number,
  ): void {
    const first = firstPassage + batch.passages.length;
    let tokens = 0;
    for (const { passage, body, fields, length } of documentTokens(lexicon, entry)) {
      const id = firstPassage + batch.passages.length;
      builder.add(id, body, fields, length);
      const { line, endLine, text, headings } = passage;
      batch.passages.push({
        id,
        document,
        line,
        end_line: endLine,
        tokens: body.length,
        headings: JSON.stringify(headings),
        text,
      });
      tokens += body.length;
    }
    batch.tokens += tokens;
    const passages = entry.passages.length;
    batch.entries.push({ document, first_passage: passages === 0 ? 0 : first, passages, tokens });
  }

  return {
    *change(work) {
      const changes = collect(work);
      yield* transaction(function* () {
        const count = [...changes.values()].reduce(
          (sum, entry) => sum + (entry?.passages.length ?? 0),
          0,
        );
        const reserved = yield* removeDocuments(shelf, [...changes.keys()], count);
        const batch = build(changes, reserved);
        const stamp = newStamp();
        yield* writeRows(shelf, batch, reserved, stamp);
        if (batch.segment) yield* writeBlocks(shelf, batch.segment.blocks);
        for (const [word] of batch.words) known.words.add(word);
        known.stamp = stamp;
        const segments = [...reserved.segments, ...(batch.segment ? [batch.segment.row] : [])];
        const passages = reserved.totals + batch.passages.length - reserved.removed;
        const share = (reserved.tombstones + reserved.removed) / (1_000 + passages);
        const toMerge = segmentsToMerge(segments, share);
        if (toMerge.length === 0) return;
        yield* mergeSegments(shelf, toMerge, toMerge.length === segments.length);
        // The merge has renewed the stamp.
        known.stamp = Number.NaN;
      });
    },
  };
}

interface Batch {
  passages: object[];
  entries: object[];
  /** In the bodies of all passages. */
  tokens: number;
  words: LexiconWord[];
  segment: { row: StoredSegment; blocks: EncodedBlocks } | undefined;
}

/** What is known after the former passages of the documents were removed. */
interface Reserved {
  /** The first of the new passages. */
  passage: number;
  segment: number;
  segments: StoredSegment[];
  stamp: number;
  /** The number of passages in the index before. */
  totals: number;
  /** The number of removed passages and of their tokens. */
  removed: number;
  tokens: number;
  /** The number of passages removed before. */
  tombstones: number;
}

function* removeDocuments(
  shelf: string,
  documents: readonly number[],
  passages: number,
): Steps<Reserved> {
  const next = (table: string): string =>
    `nextval(pg_get_serial_sequence('${shelf}_${table}', 'id')::regclass)`;
  const row = yield* get<Omit<Reserved, "segments"> & { segments: string }>(
    `WITH gone AS (
       DELETE FROM ${shelf}_entries WHERE document IN ${numbers("?1")}
       RETURNING first_passage, passages, tokens),
     texts AS (DELETE FROM ${shelf}_passages WHERE document IN ${numbers("?1")}),
     removed AS (
       INSERT INTO ${shelf}_removed (passage)
       SELECT generate_series(first_passage, first_passage + passages - 1) FROM gone
       WHERE passages > 0 ON CONFLICT DO NOTHING)
     SELECT (SELECT coalesce(sum(passages), 0)::bigint FROM gone) AS removed,
         (SELECT coalesce(sum(tokens), 0)::bigint FROM gone) AS tokens,
         CASE WHEN ?2::bigint > 0 THEN setval(
           pg_get_serial_sequence('${shelf}_passages', 'id')::regclass,
           ${next("passages")} + ?2::bigint - 1) - ?2::bigint + 1 END AS passage,
         ${next("segments")} AS segment,
         (SELECT coalesce(json_agg(json_build_object('id', id, 'firstPassage', first_passage,
             'postings', postings, 'buckets', buckets) ORDER BY id), '[]')
            FROM ${shelf}_segments)::text AS segments,
         (SELECT stamp FROM ${shelf}_postings_stamp) AS stamp,
         (SELECT passages FROM ${shelf}_totals) AS totals,
         (SELECT count(*) FROM ${shelf}_removed) AS tombstones`,
    JSON.stringify(documents),
    passages,
  );
  if (!row) throw new Error("A SELECT without FROM has returned no row.");
  return { ...row, segments: JSON.parse(row.segments) };
}

function* writeRows(
  shelf: string,
  { passages, entries, tokens, words, segment }: Batch,
  reserved: Reserved,
  stamp: number,
): Steps<void> {
  const { id, firstPassage, postings, buckets } = segment?.row ?? emptyRow;
  yield* run(
    `WITH texts AS (
       INSERT INTO ${shelf}_passages (id, document, line, end_line, tokens, headings, text)
       SELECT * FROM json_to_recordset(?1::json) AS passage (id bigint, document bigint,
         line bigint, end_line bigint, tokens bigint, headings text, text text)),
     listed AS (
       INSERT INTO ${shelf}_entries (document, first_passage, passages, tokens)
       SELECT * FROM json_to_recordset(?2::json) AS entry (document bigint, first_passage bigint,
         passages bigint, tokens bigint)),
     new_words AS (
       INSERT INTO ${shelf}_vocabulary (word, token)
       SELECT item.word, item.token FROM (
         SELECT value ->> 0 AS word, value ->> 1 AS token FROM json_array_elements(?3::json)) AS item
       WHERE NOT EXISTS (SELECT FROM ${shelf}_vocabulary AS known WHERE known.word = item.word)),
     new_segment AS (
       INSERT INTO ${shelf}_segments (id, first_passage, postings, buckets)
       SELECT ?4::bigint, ?5::bigint, ?6::bigint, ?7::bigint WHERE ?4::bigint > 0),
     renewed AS (UPDATE ${shelf}_postings_stamp SET stamp = ?8)
     UPDATE ${shelf}_totals SET passages = passages + ?9, tokens = tokens + ?10`,
    toJson(passages),
    toJson(entries),
    toJson(words),
    id,
    firstPassage,
    postings,
    buckets,
    stamp,
    passages.length - reserved.removed,
    tokens - reserved.tokens,
  );
}

const emptyRow: StoredSegment = { id: 0, firstPassage: 0, postings: 0, buckets: 0 };

/** Text in PostgreSQL is valid UTF-8 without U+0000. */
const toJson = (rows: readonly unknown[]): string =>
  JSON.stringify(rows, (_, value) =>
    typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\ufffd") : value,
  );
