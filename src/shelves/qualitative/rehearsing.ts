import type { Call } from "../../kernel/call.ts";
import type { AnyOperation } from "../../kernel/operation.ts";
import { rehearsing } from "./face.ts";
import { Rehearsal } from "./rehearsal.ts";
import type { QualitativeState } from "./state.ts";

type Given = Record<string, unknown>;

/** What a call would do, found by doing it and taking it back before anybody sees it. */
export interface Deed {
  /** As it is to be performed: a destructive one is bound to what its preview shows now. */
  input: Given;
  /** A sentence: what would be done. */
  summary: string;
  /** What a person judges by, as lines. */
  preview: string;
}

/**
 * Tries a call. Where it cannot be done it fails at once, so that nothing hopeless waits for a
 * person; where it writes nothing, it has simply been done.
 */
export async function rehearsed(
  operation: AnyOperation<QualitativeState>,
  input: Given,
  state: QualitativeState,
  call: Call,
): Promise<{ deed: Deed } | { deed?: never; output: Given }> {
  try {
    return { output: await operation.run(input, onTrial(state), call) };
  } catch (error) {
    if (!(error instanceof Rehearsal)) throw error;
    const { summary, preview, token } = error;
    const bound = operation.effect === "deletes" ? { preview_token: token, ...input } : input;
    return { deed: { input: bound, summary, preview: preview?.message ?? linesOf(input) } };
  }
}

/** What cannot be taken back, such as a project that is made, is not done at all. */
export function onTrial(state: QualitativeState): QualitativeState {
  const stop = (summary: string): never => {
    throw new Rehearsal(summary);
  };
  return Object.defineProperties(state.facing(rehearsing), {
    create: { value: ({ path }: { path: string }) => stop(`Created the project '${path}'`) },
    act: { value: stop },
  });
}

/** Enough of a long text to know it by. */
const mostLetters = 2_000;

const linesOf = (input: Given): string =>
  Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      const words = typeof value === "string" ? value : JSON.stringify(value);
      return `${key}: ${words.length > mostLetters ? `${words.slice(0, mostLetters)}…` : words}`;
    })
    .join("\n");
