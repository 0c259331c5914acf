import { refuseBadName } from "./naming.ts";
import type { Hand } from "./project.ts";
import { freeSourceNumber, sourceNames } from "./qda/storage-sources.ts";
import { noteBeside } from "./source.ts";

/** A source to be: with a text, with a file, or with both. */
export interface NewSource {
  name: string;
  text: string | null;
  /** Where its file lies, in QualCoder's words. */
  mediapath: string | null;
  memo?: string | undefined;
  origin?: string | undefined;
}

export function addSource(hand: Hand, source: NewSource, task: string): { source_id: number } {
  const { pen, db, owner, date } = hand;
  const { name, text, mediapath, memo, origin } = source;
  refuseBadName(name, sourceNames(db), task, "source");
  const source_id = pen.insert("source", {
    rowid: freeSourceNumber(db),
    name,
    fulltext: text,
    mediapath,
    memo: memo ?? "",
    owner,
    date,
  });
  if (origin !== undefined) noteBeside(hand, source_id, { origin });
  return { source_id };
}
