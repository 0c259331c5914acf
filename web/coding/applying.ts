import { signal } from "@preact/signals";
import { call } from "../client.ts";
import { type Code, codeOf, codes, opened, type Segment } from "./project.ts";
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

/** Codes what is selected. */
export const apply = (wanted: Wanted, { memo, importance }: Note): Promise<void> =>
  withSelection(async (passage) => {
    const code_id = "id" in wanted ? wanted.id : await create(wanted.name);
    await call("batch_apply_codes", {
      operations: [{ ...passage, code_id, importance, ...(memo && { memo }) }],
    });
    return wanted.name;
  });

/** The words themselves become the code, or are one already. */
export const applyInVivo = (): Promise<void> =>
  withSelection(
    async (passage) =>
      (await call("create_in_vivo_code", { ...passage, color: freshColour() })).name,
  );

/** Hands on what is selected, until it is coded with the code whose name comes back. */
async function withSelection(
  code: (passage: NonNullable<ReturnType<typeof passageOf>>) => Promise<string>,
): Promise<void> {
  const passage = opened.answer.value && passageOf(opened.answer.value);
  if (!passage) {
    said.value = nothingSelected;
    return;
  }
  await attempt(async () => {
    const name = await code(passage);
    selected.value = undefined;
    getSelection()?.removeAllRanges();
    return `Coded with ${name}.`;
  });
}

/** As long as the name of a code can be. */
export const longestName = 100;

export const codeNamed = (name: string): Code | undefined =>
  codes.value.find((code) => code.name.toLowerCase() === name.toLowerCase());

export const remove = ({ id, code_id }: Segment): Promise<void> =>
  attempt(async () => {
    await call("remove_coding", { segment_id: id });
    return `Removed ${codeOf(code_id)?.name ?? "a code"}.`;
  });

export const undo = (): Promise<void> =>
  attempt(async () => {
    await call("undo_last", {});
    return "Undone.";
  });

export const redo = (): Promise<void> =>
  attempt(async () => {
    await call("redo_last", {});
    return "Done again.";
  });

/** Can be told apart by most who see colours differently, on light and on dark. */
const palette = [
  "#0072B2",
  "#D55E00",
  "#009E73",
  "#CC79A7",
  "#B8860B",
  "#7A5CC2",
  "#56A3C9",
  "#A0522D",
];

const freshColour = (): string => palette[codes.value.length % palette.length] ?? "#0072B2";

const create = async (name: string): Promise<number> =>
  (await call("create_code", { name, color: freshColour() })).code_id;

async function attempt(work: () => Promise<string>): Promise<void> {
  try {
    said.value = await work();
  } catch (error) {
    said.value = error instanceof Error ? error.message : String(error);
  }
}
