import { assertValidName } from "../project/names.ts";
import type { WriteContext } from "../project/project.ts";
import { freeSourceName, nextSourceId, sourceNames } from "../qda/storage-sources.ts";
import { saveSourceExtras } from "./source.ts";

/** A new source with a text, a file, or both. */
export interface NewSource {
  name: string;
  text: string | null;
  /** The path of its file in QualCoder's notation. */
  mediapath: string | null;
  memo?: string | undefined;
  origin?: string | undefined;
}

export function insertSource(
  context: WriteContext,
  source: NewSource,
  errorCode: string,
): { source_id: number } {
  const { writer, db, owner, date } = context;
  const { name, text, mediapath, memo, origin } = source;
  assertValidName(name, sourceNames(db), errorCode, "source");
  const freeName = freeSourceName(db, name);
  const source_id = writer.insert("source", {
    rowid: nextSourceId(db),
    name: freeName,
    fulltext: text,
    mediapath,
    memo: memo ?? "",
    owner,
    date,
  });
  const extras = {
    ...(origin !== undefined && { origin }),
    ...(freeName !== name && { agent_name: name }),
  };
  if (Object.keys(extras).length > 0) saveSourceExtras(context, source_id, extras);
  return { source_id };
}
