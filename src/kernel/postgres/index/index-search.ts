import type { Query } from "../../../text/search/query.ts";
import { indexDamaged } from "../../index/integrity.ts";
import { displayScore, type RankedPassages, rankQuery } from "../../index/ranking/rank-query.ts";
import type { Match, MatchOptions, Passage } from "../../index/search-index.ts";
import { all, type Steps, snapshot } from "../../storage/steps.ts";
import { type IndexReads, openIndexReads } from "./index-reads.ts";
import { isEmpty, staleState } from "./read-requests.ts";
import { numbers } from "./read-statement.ts";
import { createStages } from "./stages.ts";

export interface IndexSearch {
  match(query: Query, options: MatchOptions): Steps<Match[]>;
  rank(query: Query): Steps<number[]>;
}

/** A concurrent change seldom disturbs a search twice; after that, it is done in a snapshot. */
const maxAttempts = 3;

/**
 * Answers queries. Ranking itself is synchronous, and the same as in SQLite: it reads from memory, and
 * is continued after what it missed was read. `titles` is a table with the title of each document.
 *
 * An ordinary search takes three round trips: the state of the index with the lists of the words, the
 * documents of the best passages, and the passages of the results. They need no transaction, because
 * segments and passages never change: if one is gone, the search begins again.
 */
export function openIndexSearch(shelf: string, titles: string): IndexSearch {
  const reads: IndexReads = openIndexReads(shelf, titles);
  const selectPassages = `
    SELECT id, line, end_line AS "endLine", headings, text FROM ${shelf}_passages
     WHERE id IN ${numbers("?")}`;

  function* rank(query: Query, options: MatchOptions): Steps<RankedPassages> {
    const reading = yield* reads.begin(query, options);
    const stages = createStages(() => !isEmpty(reading.requests));
    for (;;) {
      const ranked = stages.attempt((stage) => rankQuery(query, options, reading.source, stage));
      if (ranked) return ranked;
      yield* reads.continue(reading);
    }
  }

  function* match(query: Query, options: MatchOptions): Steps<Match[]> {
    const { ranking, passages } = yield* rank(query, options);
    const texts = yield* readPassages(passages.map(({ id }) => id));
    return passages.map(({ id, document, score }) => {
      const passage = texts.get(id);
      if (!passage) throw staleState;
      return { document, score: displayScore(score), passage, words: ranking.explain(id) };
    });
  }

  function* readPassages(ids: readonly number[]): Steps<ReadonlyMap<number, Passage>> {
    if (ids.length === 0) return new Map();
    const rows = yield* all<PassageRow>(selectPassages, JSON.stringify(ids));
    return new Map(
      rows.map(({ id, line, endLine, headings, text }) => [
        id,
        { line, endLine, text, headings: JSON.parse(headings) },
      ]),
    );
  }

  return {
    match: (query, options) => retried(() => match(query, options)),
    *rank(query) {
      const { passages } = yield* retried(() => rank(query, { limit: Number.POSITIVE_INFINITY }));
      return passages.map(({ document }) => document);
    },
  };
}

interface PassageRow extends Omit<Passage, "headings"> {
  id: number;
  /** JSON. */
  headings: string;
}

function* retried<Result>(work: () => Steps<Result>): Steps<Result> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      return yield* work();
    } catch (error) {
      if (error !== staleState) throw error;
    }
  }
  try {
    return yield* snapshot(work);
  } catch (error) {
    throw error === staleState ? indexDamaged() : error;
  }
}
