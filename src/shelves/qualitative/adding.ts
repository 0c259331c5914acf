import { Failure } from "../../kernel/failure.ts";
import type { Hand } from "./project.ts";
import { sourceNames } from "./qda/storage-sources.ts";
import { isTaken, noteBeside } from "./source.ts";

/** A source to be: with a text, with a file, or with both. */
export interface NewSource {
  name: string;
  text: string | null;
  /** Where its file lies, in QualCoder's words. */
  mediapath: string | null;
  memo?: string | undefined;
  origin?: string | undefined;
}

/** Names of sources have 1 to 255 letters and differ from all others without case. */
export function refuseBadSourceName(
  name: string,
  named: readonly { name: string }[],
  task: string,
): void {
  const refuse = (reason: string, message: string) =>
    new Failure(reason === "DUPLICATE_NAME" ? "conflict" : "invalid", `${task}/${reason}`, message);
  if (name.trim() === "") throw refuse("EMPTY_NAME", "Source name cannot be empty");
  if ([...name].length > 255) throw refuse("NAME_TOO_LONG", "Source name is over 255 letters");
  if (!name.isWellFormed()) throw refuse("INVALID_TEXT", "The name holds half of a character");
  if (isTaken(named, name)) {
    throw refuse("DUPLICATE_NAME", `Source with name '${name}' already exists`);
  }
}

export function addSource(hand: Hand, source: NewSource, task: string): { source_id: number } {
  const { pen, db, owner, date } = hand;
  const { name, text, mediapath, memo, origin } = source;
  refuseBadSourceName(name, sourceNames(db), task);
  const source_id = pen.insert("source", {
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
