import type { Database } from "../../kernel/database.ts";
import { shorten } from "../../text/shorten.ts";
import { visible } from "../../text/visible.ts";
import { isSeenSource } from "./qda/storage-privacy.ts";
import { type Row, type RowChange, rowOf } from "./qda/storage-rows.ts";
import { thingsIn } from "./subject.ts";

/** What a deed is about, in words: passages with their codes, and by name what it has by number. */
export interface ShownSubject {
  codings: string[];
  things: string[];
}

const mostShown = 20;

/** Whoever asks is told of no source that they do not see. */
export function shownSubject(db: Database, changes: readonly RowChange[]): ShownSubject {
  const codings = changes.flatMap(({ table, before, after }) =>
    table === "code_text" && !before && after && isSeenSource(db, Number(after.fid)) ? [after] : [],
  );
  if (codings.length > 0) {
    return { codings: shown(codings, (coding) => shownCoding(db, coding)), things: [] };
  }
  const things = thingsIn(db, changes).filter(
    ({ table, id }) => table !== "source" || isSeenSource(db, id),
  );
  return {
    codings: [],
    things: shown(things, ({ called, was }) => `${called}: '${inLine(was.name)}'`),
  };
}

function shownCoding(db: Database, { cid, fid, pos0, pos1, seltext, memo }: Row): string {
  const code = rowOf(db, "code_name", Number(cid));
  const source = rowOf(db, "source", Number(fid));
  const about = memo ? ` (${inLine(memo)})` : "";
  return `'${inLine(code?.name)}' in '${inLine(source?.name)}' [${pos0}:${pos1}]: “${inLine(seltext)}”${about}`;
}

const inLine = (words: unknown): string => shorten(visible(String(words ?? "")));

const shown = <Item>(items: readonly Item[], inWords: (item: Item) => string): string[] => [
  ...items.slice(0, mostShown).map(inWords),
  ...(items.length > mostShown ? [`… and ${items.length - mostShown} more`] : []),
];
