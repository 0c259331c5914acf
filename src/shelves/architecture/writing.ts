import type { Call } from "../../kernel/call.ts";
import { Failure } from "../../kernel/failure.ts";
import { exactText } from "../../kernel/file-exchange.ts";
import type { House } from "../../kernel/house.ts";
import { difference } from "../../text/difference.ts";
import type { Ground, Plan } from "./plan.ts";
import { longestRecord, type Records } from "./records-state.ts";

/** What writing needs of the shelf's state. */
export interface Writing extends Pick<House, "boundary" | "changes" | "settings"> {
  readonly records: Records;
  /** The records of another project, by its real path. */
  recordsAt(root: string): Records;
}

/**
 * The records that a call writes to. What applies a proposal or undoes a change writes to the
 * project that was recorded with it, whatever folder this process works in.
 */
export function boundRecords({ records, recordsAt }: Writing, call: Call): Records {
  if (call.project !== undefined) return recordsAt(call.project);
  if (call.accepting || call.undoing) throw withoutProject();
  return records;
}

/** Earlier versions did not record the project, and the numbers of records exist in every project. */
const withoutProject = (): Failure =>
  new Failure(
    "conflict",
    "no-project",
    "It was recorded by an older version, without the project that it belongs to.",
    {
      hints: [
        "Reject the proposal and have it proposed again, or edit the record in its own project by hand.",
      ],
    },
  );

/** The records as they are now, ready to be planned on. */
export async function groundOf(state: Writing, call: Call): Promise<Ground> {
  const { boundary } = state;
  const set = await boundRecords(state, call).now();
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
