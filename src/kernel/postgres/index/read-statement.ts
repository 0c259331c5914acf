import { maxBuckets } from "../../index/integrity.ts";
import { maxCompletions } from "../../index/spelling.ts";
import { stateJson } from "./index-state.ts";

export interface ReadRow {
  kind: "state" | "postings" | "positions" | "words" | "copy";
  /** Of the block or the request; for `copy`, the number of the last word. */
  id: number;
  block: Uint8Array | null;
  data: string | null;
}

/**
 * Reads lists, words and the state of an index in one round trip. Parameters:
 *
 * 1. 1 to read the state, 0 otherwise
 * 2. the number of the last removed passage that is known
 * 3. ids of blocks of postings, as a JSON array
 * 4. ids of blocks of positions
 * 5. hashes of terms whose postings are read from segments after the last one that is known
 * 6. the same for positions
 * 7. the last segment that is known
 * 8. look-ups of words: an array of objects (`WordRequest` with a number)
 * 9. the number of the word after which all words are read, or null
 */
export const readStatement = (shelf: string): string => `
  SELECT 'state' AS kind, 0 AS id, NULL::bytea AS block, ${stateJson(shelf, "?2::bigint")}::text AS data
    FROM ${shelf}_totals AS totals WHERE ?1::int = 1
  UNION ALL
  SELECT 'postings', id, block, NULL FROM ${shelf}_postings WHERE id IN ${numbers("?3")}
  UNION ALL
  SELECT 'positions', id, block, NULL FROM ${shelf}_positions WHERE id IN ${numbers("?4")}
  UNION ALL
  ${newBlocks(shelf, "postings", "?5")}
  UNION ALL
  ${newBlocks(shelf, "positions", "?6")}
  UNION ALL
  SELECT 'words', wanted.number, NULL, CASE wanted.kind
      WHEN 'completions' THEN (
        SELECT json_agg(json_build_array(word, token))::text FROM (
          SELECT word, token FROM ${shelf}_vocabulary WHERE ${hasPrefix}
            ORDER BY length(word), word LIMIT ${maxCompletions}) AS found)
      WHEN 'stem' THEN (
        SELECT json_agg(json_build_array(word, token))::text FROM (
          SELECT word, token FROM ${shelf}_vocabulary WHERE ${hasPrefix}
             AND token = wanted.token
             AND NOT EXISTS (SELECT FROM ${shelf}_vocabulary AS same WHERE same.word = wanted.word)
            ORDER BY word) AS found)
      ELSE (
        SELECT json_agg(json_build_array(word, token))::text FROM (
          SELECT word, token FROM ${shelf}_vocabulary WHERE ${hasPrefix}
             AND length(word) BETWEEN length(wanted.word) - 1 AND length(wanted.word) + 1
             AND right(word, 1) = right(wanted.word, 1)
            ORDER BY word) AS found)
      END
    FROM json_to_recordset(?8::json) AS wanted (number int, kind text, prefix text, word text, token text)
  UNION ALL
  SELECT 'copy', max(number), NULL, string_agg(word, chr(10)) FROM ${shelf}_vocabulary
    WHERE number > ?9::bigint HAVING count(*) > 0`;

/** A JSON array of numbers as a subquery. */
export const numbers = (parameter: string): string =>
  `(SELECT value::bigint FROM jsonb_array_elements_text(${parameter}::jsonb))`;

const hasPrefix = "word >= wanted.prefix AND word < wanted.prefix || chr(1114111)";

const newBlocks = (shelf: string, table: "postings" | "positions", hashes: string): string => `
  SELECT DISTINCT ON (blocks.id) '${table}', blocks.id, blocks.block, NULL
    FROM ${shelf}_segments AS segments
    CROSS JOIN ${numbers(hashes)} AS wanted (hash)
    JOIN ${shelf}_${table} AS blocks
      ON blocks.id = segments.id * ${maxBuckets} + (wanted.hash * segments.buckets >> 31)
   WHERE segments.id > ?7::bigint`;
