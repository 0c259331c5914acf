import type { Call } from "../../../kernel/call.ts";
import type { Document } from "../../../kernel/documents/documents.ts";
import { Failure, failureReason } from "../../../kernel/failure.ts";
import { createVisibilityCheck } from "../../../kernel/home/scoped-config.ts";
import { openTimeSlice } from "../../../kernel/processes/time-slice.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import type { LineSearch } from "../../../text/patterns/line-search.ts";
import { splitLines } from "../../../text/strings/lines.ts";
import { readDocumentText } from "../documents/document-text.ts";
import type { SearchState } from "../state.ts";
import { findMatchingLines, type MatchingLine } from "./matching-lines.ts";

export interface DocumentHit extends MatchingLine {
  file: string;
}

interface GrepOptions {
  search: LineSearch;
  /** All collections if undefined. */
  roots: readonly string[] | undefined;
  isWanted: ((path: string) => boolean) | undefined;
  before: number;
  after: number;
  limit: number;
  /** The most matches of one document. */
  perDocument: number;
  deadlineMs: number;
}

interface GrepSummary {
  documents: number;
  stopped?: "limit" | "deadline";
  gaps: SearchGaps;
}

/** What was not searched. */
export interface SearchGaps {
  /** Indexed documents whose files exist, or may exist, but cannot be read. */
  unreadable: number;
  /** Why the first of them cannot be read. */
  reason?: string;
  /** The document of the first line of which only the start was searched. */
  cutLineIn?: string;
}

/**
 * Searches documents in the order of their paths, and passes on the hits of each. It gives way to
 * other work, and stops at the limit, at the deadline or when the call is cancelled.
 */
export async function grepDocuments(
  state: SearchState,
  options: GrepOptions,
  call: Call,
  onHits: (hits: DocumentHit[]) => Promise<void>,
): Promise<GrepSummary> {
  const { search, limit, perDocument, deadlineMs, ...context } = options;
  const slice = openTimeSlice();
  const end = performance.now() + deadlineMs;
  const { store } = state;
  const total = await store.run(state.documents.count());
  let isVisible = createVisibilityCheck(state);
  let documents = 0;
  let matches = 0;
  const gaps: SearchGaps = { unreadable: 0 };
  const onUnreadable = (failure: Failure): void => {
    gaps.unreadable++;
    gaps.reason ??= failureReason(failure);
  };
  for await (const document of wantedDocuments(state, options)) {
    const file = `${document.root}/${document.path}`;
    const hits: DocumentHit[] = [];
    const text = isVisible(document)
      ? await store.run(tryReadText(state, document, onUnreadable))
      : undefined;
    const lines = text !== undefined && search.mayMatch(text) ? splitLines(text) : [];
    const most = Math.min(perDocument, limit - matches);
    const onCutLine = () => {
      gaps.cutLineIn ??= file;
    };
    for (const match of findMatchingLines(lines, search, { ...context, limit: most, onCutLine })) {
      if (match) hits.push({ file, ...match });
      if (slice.isOver() && (await isStopped())) break;
    }
    documents++;
    matches += hits.length;
    if (hits.length > 0) await onHits(hits);
    if (matches >= limit) return { documents, gaps, stopped: "limit" };
    if (slice.isOver() && (await isStopped())) return { documents, gaps, stopped: "deadline" };
  }
  return { documents, gaps };

  async function isStopped(): Promise<boolean> {
    call.progress(documents, total);
    await slice.pass();
    // Documents may have become private meanwhile.
    isVisible = createVisibilityCheck(state);
    return call.signal.aborted || performance.now() > end;
  }
}

/** Documents per query, so that the first hits do not wait for a list of all documents. */
const documentsPerPage = 500;

async function* wantedDocuments(
  { documents, store }: SearchState,
  { roots, isWanted }: GrepOptions,
): AsyncGenerator<Document> {
  for (const root of roots ? [...new Set(roots)].sort() : [undefined]) {
    for (let after: Document | undefined; ; ) {
      const page = await store.run(documents.list({ root, after }, documentsPerPage));
      for (const document of page) {
        const { root, path } = document;
        if (!isWanted || isWanted(path) || isWanted(`${root}/${path}`)) yield document;
      }
      after = page.at(-1);
      if (page.length < documentsPerPage) break;
    }
  }
}

/** Undefined if the file is gone or cannot be read: the others are searched all the same. */
function* tryReadText(
  state: SearchState,
  document: Document,
  onUnreadable: (failure: Failure) => void,
): Steps<string | undefined> {
  try {
    return yield* readDocumentText(state, document);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind !== "not-found") onUnreadable(error);
    return undefined;
  }
}
