import { exactText } from "../../kernel/file-exchange.ts";
import type { House } from "../../kernel/house.ts";
import { difference } from "../../text/difference.ts";
import type { Ground, Plan } from "./plan.ts";
import { longestRecord, type Records } from "./records-state.ts";

/** What writing needs of the shelf's state. */
export interface Writing extends Pick<House, "boundary" | "changes" | "settings"> {
  readonly records: Records;
}

/** The records as they are now, ready to be planned on. */
export async function groundOf({ records, boundary }: Writing): Promise<Ground> {
  const set = await records.now();
  return {
    set,
    today: new Date().toISOString().slice(0, 10),
    // It must be possible to write the text back without losing a byte.
    textOf: (file) => exactText(boundary, set.root, file, longestRecord),
  };
}

/** What a person sees of a plan before it is done, and afterwards. */
export const differencesOf = ({ edits }: Plan): string =>
  edits.map(({ file, before, after }) => difference(file, before, after)).join("\n");
