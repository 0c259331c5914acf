import { refuseBadName } from "./naming.ts";
import type { Hand } from "./project.ts";
import { freeSourceName, freeSourceNumber, sourceNames } from "./qda/storage-sources.ts";
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
  const own = freeSourceName(db, name);
  const source_id = pen.insert("source", {
    rowid: freeSourceNumber(db),
    name: own,
    fulltext: text,
    mediapath,
    memo: memo ?? "",
    owner,
    date,
  });
  const beside = {
    ...(origin !== undefined && { origin }),
    ...(own !== name && { agent_name: name }),
  };
  if (Object.keys(beside).length > 0) noteBeside(hand, source_id, beside);
  return { source_id };
}
