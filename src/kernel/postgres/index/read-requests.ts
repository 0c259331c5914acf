/** What a search must read next. All of it is read in one statement. */
export interface ReadRequests {
  /** Terms whose posting lists are needed, or only those of titles, or with positions. */
  lists: Set<string>;
  titled: Set<string>;
  positions: Set<string>;
  /** A character: all terms that contain it. */
  characters: Set<string>;
  words: Map<string, WordRequest>;
  /** Whether the copy of all words must be up to date. */
  allWords: boolean;
  owners: Set<number>;
  /** Whether the documents that the filters admit are needed, instead of more owners. */
  admitted: boolean;
}

/** A look-up of similar words. */
export interface WordRequest {
  kind: "completions" | "stem" | "typo";
  /** The beginning of the words that are searched. */
  prefix: string;
  word: string;
  token: string;
}

export const createRequests = (): ReadRequests => ({
  lists: new Set(),
  titled: new Set(),
  positions: new Set(),
  characters: new Set(),
  words: new Map(),
  allWords: false,
  owners: new Set(),
  admitted: false,
});

export const wordRequestKey = ({ kind, word, token }: WordRequest): string =>
  `${kind} ${word} ${token}`;

export const isEmpty = (requests: ReadRequests): boolean =>
  !needsIndex(requests) &&
  requests.characters.size === 0 &&
  requests.owners.size === 0 &&
  !requests.admitted;

/** Whether lists or words are needed, which are read in one statement. */
export const needsIndex = ({ lists, titled, positions, words, allWords }: ReadRequests): boolean =>
  lists.size + titled.size + positions.size + words.size > 0 || allWords;

/** Thrown by a source where work cannot go on without what was requested. */
export const missingData = Symbol("missing data");

/** Thrown if another process merged the segments, or removed the passages, that are being read. */
export const staleState = Symbol("stale state");
