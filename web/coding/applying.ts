import { signal } from "@preact/signals";
import { call } from "../client.ts";
import { palette } from "./colour.ts";
import { type Code, codeOf, codes, opened, type Segment } from "./project.ts";
import { noteUse } from "./recent-codes.ts";
import { passageOf, selected } from "./selection.ts";

/** What was done last, or why it could not be done. */
export const said = signal("");

/** Whether somebody picks a code for what is selected. */
export const isPicking = signal(false);

export const nothingSelected = "Select some words first: with the mouse, or in the text by arrows.";

/** What may be noted with a coding. */
export interface Note {
  memo: string;
  importance: number;
}

/** A code of the codebook, or the name of one that is to be made. */
export type Wanted = Pick<Code, "id" | "name"> | { name: string };

type Passage = NonNullable<ReturnType<typeof passageOf>>;

/** Codes what is selected. */
export const apply = (wanted: Wanted, note: Note = { memo: "", importance: 0 }): Promise<void> =>
  withSelection(async (passage) => {
    const { memo, importance } = note;
    const noted = { importance, ...(memo && { memo }) };
    if (!("id" in wanted)) return codeAs({ ...passage, ...noted, name: wanted.name });
    await call("batch_apply_codes", {
      operations: [{ ...passage, ...noted, code_id: wanted.id }],
    });
    noteUse(wanted.id);
    return wanted.name;
  });

/** The words themselves become the code, or are one already. */
export const applyInVivo = (): Promise<void> => withSelection(codeAs);

/** Code and coding are made in one step, which one undo takes back. */
async function codeAs(wanted: Passage & { name?: string }): Promise<string> {
  const { code_id, name } = await call("create_in_vivo_code", { ...wanted, color: freshColour() });
  noteUse(code_id);
  return name;
}

/** Hands on what is selected, until it is coded with the code whose name comes back. */
async function withSelection(code: (passage: Passage) => Promise<string>): Promise<void> {
  const passage = opened.value && passageOf(opened.value);
  if (!passage) {
    said.value = nothingSelected;
    return;
  }
  await attempt(async () => {
    const name = await code(passage);
    letGo();
    return `Coded with ${name}.`;
  });
}

/** Nothing is selected any more. */
export function letGo(): void {
  selected.value = undefined;
  getSelection()?.removeAllRanges();
}

/** As long as the name of a code can be. */
export const longestName = 100;

export const codeNamed = (name: string): Code | undefined =>
  codes.value.find((code) => code.name.toLowerCase() === name.toLowerCase());

export const remove = ({ id, code_id }: Segment): Promise<boolean> =>
  attempt(async () => {
    await call("remove_coding", { segment_id: id });
    return `Removed ${codeOf(code_id)?.name ?? "a code"}.`;
  });

export const undo = (): Promise<boolean> =>
  attempt(async () => {
    await call("undo_last", {});
    return "Undone.";
  });

export const redo = (): Promise<boolean> =>
  attempt(async () => {
    await call("redo_last", {});
    return "Done again.";
  });

export const freshColour = (): string => palette[codes.value.length % palette.length] ?? palette[0];

/**
 * Does something and says what was done, or why it could not be done; true where it was. Work that
 * only looks has nothing to say, and leaves standing what was said before.
 */
export async function attempt(work: () => Promise<string | undefined>): Promise<boolean> {
  try {
    said.value = (await work()) ?? said.value;
    return true;
  } catch (error) {
    said.value = error instanceof Error ? error.message : String(error);
    return false;
  }
}
