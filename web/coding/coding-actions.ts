import { signal } from "@preact/signals";
import { elementAt } from "../../src/text/arrays/element-at.ts";
import { call } from "../server/client.ts";
import { palette } from "./colour.ts";
import { type Code, codeOf, codes, openedSource, type Segment } from "./project-state.ts";
import { recordCodeUse } from "./segments/recent-codes.ts";
import { selected, selectedPassage } from "./text/selection.ts";

/** The result of the last action, or its error. */
export const statusMessage = signal("");

/** Whether the code picker is open. */
export const isPicking = signal(false);

export const nothingSelected = "Select some text first, with the mouse or the arrow keys.";

/** The optional details of a coding. */
export interface CodingNote {
  memo: string;
  importance: number;
}

/** A code of the codebook, or the name of a new one. */
export type CodeChoice = Pick<Code, "id" | "name"> | { name: string };

type Passage = NonNullable<ReturnType<typeof selectedPassage>>;

/** Applies a code to the selection. */
export const applyCode = (
  choice: CodeChoice,
  note: CodingNote = { memo: "", importance: 0 },
): Promise<void> =>
  withSelection(async (passage) => {
    const { memo, importance } = note;
    const details = { importance, ...(memo && { memo }) };
    if (!("id" in choice)) return createInVivoCode({ ...passage, ...details, name: choice.name });
    await call("batch_apply_codes", {
      operations: [{ ...passage, ...details, code_id: choice.id }],
    });
    recordCodeUse(choice.id);
    return choice.name;
  });

/** Applies a code named by the selected text itself. */
export const applyInVivoCode = (): Promise<void> => withSelection(createInVivoCode);

/** Creates the code and the coding in one step, so that one undo reverts both. */
async function createInVivoCode(passage: Passage & { name?: string }): Promise<string> {
  const { code_id, name } = await call("create_in_vivo_code", { ...passage, color: nextColour() });
  recordCodeUse(code_id);
  return name;
}

/** Runs an action on the selected passage; it returns the name of the code that it applied. */
async function withSelection(code: (passage: Passage) => Promise<string>): Promise<void> {
  const passage = openedSource.value && selectedPassage(openedSource.value);
  if (!passage) {
    statusMessage.value = nothingSelected;
    return;
  }
  await runAndReport(async () => {
    const name = await code(passage);
    clearSelection();
    return `Coded with ${name}.`;
  });
}

export function clearSelection(): void {
  selected.value = undefined;
  getSelection()?.removeAllRanges();
}

export const maxNameLength = 100;

export const findCodeByName = (name: string): Code | undefined =>
  codes.value.find((code) => code.name.toLowerCase() === name.toLowerCase());

export const removeSegment = ({ id, code_id }: Segment): Promise<boolean> =>
  runAndReport(async () => {
    await call("remove_coding", { segment_id: id });
    return `Removed ${codeOf(code_id)?.name ?? "a code"}.`;
  });

export const undoLast = (): Promise<boolean> =>
  runAndReport(async () => {
    await call("undo_last", {});
    return "Undone.";
  });

export const redoLast = (): Promise<boolean> =>
  runAndReport(async () => {
    await call("redo_last", {});
    return "Redone.";
  });

export const nextColour = (): string =>
  elementAt<string>(palette, codes.value.length % palette.length);

/**
 * Runs an action and shows its result or its error in the status line. Returns whether it succeeded.
 * An action without a message leaves the status line unchanged.
 */
export async function runAndReport(work: () => Promise<string | undefined>): Promise<boolean> {
  try {
    statusMessage.value = (await work()) ?? statusMessage.value;
    return true;
  } catch (error) {
    statusMessage.value = error instanceof Error ? error.message : String(error);
    return false;
  }
}
