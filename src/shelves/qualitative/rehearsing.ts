import type { Call } from "../../kernel/call.ts";
import type { AnyOperation } from "../../kernel/operation.ts";
import { rehearsing } from "./face.ts";
import { Rehearsal } from "./project.ts";
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
  const shown: Given =
    input.confirm === true
      ? await operation.run({ ...input, confirm: false, preview_token: undefined }, state, call)
      : {};
  const { preview_token = input.preview_token, message } = { ...shown };
  const bound = input.confirm === true ? { preview_token, ...input } : input;
  try {
    return { output: await operation.run(bound, onTrial(state), call) };
  } catch (error) {
    if (!(error instanceof Rehearsal)) throw error;
    const preview = typeof message === "string" ? message : linesOf(input);
    return { deed: { input: bound, summary: error.summary, preview } };
  }
}

/** What cannot be taken back, such as a project that is made, is not done at all. */
function onTrial(state: QualitativeState): QualitativeState {
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
