import type { Call } from "../../kernel/call.ts";
import type { AnyOperation } from "../../kernel/operation.ts";
import { rehearsing } from "./face.ts";
import { Rehearsal } from "./rehearsal.ts";
import type { QualitativeState } from "./state.ts";
import type { Subject } from "./subject.ts";
import type { ShownSubject } from "./subject-shown.ts";

type Given = Record<string, unknown>;

/** What a call would do, found by doing it and taking it back before anybody sees it. */
export interface ProposedDeed {
  /** As it is to be performed: a destructive one is bound to what its preview shows now. */
  input: Given;
  /** A sentence: what would be done. */
  summary: string;
  /** What a person judges by, as lines. */
  preview: string;
  /** What it is about, where it is done to a project. */
  subject?: Subject;
  /** Whether it would change something private: then nobody is asked by way of the client. */
  isPrivate: boolean;
}

/**
 * Makes a call on a state whose writes may end in a `Rehearsal`. Where it cannot be done it fails at
 * once, so that nothing hopeless waits for a person; where no write ended so, it has been done.
 */
export async function rehearsed(
  operation: AnyOperation<QualitativeState>,
  input: Given,
  state: QualitativeState,
  call: Call,
): Promise<{ deed: ProposedDeed } | { deed?: never; output: Given }> {
  try {
    return { output: await operation.run(input, state, call) };
  } catch (error) {
    if (!(error instanceof Rehearsal)) throw error;
    const { summary, seen } = error;
    const { preview, token, subject, shown = { codings: [], things: [] }, affected } = seen;
    const { isPrivate = false } = seen;
    const bound = operation.effect === "deletes" ? { preview_token: token, ...input } : input;
    const lines = [
      ...(preview ? [preview.message] : linesOf(input, shown)),
      ...(affected === undefined ? [] : [affected]),
      ...shown.things,
    ];
    return {
      deed: {
        input: bound,
        summary,
        preview: lines.join("\n"),
        ...(subject && { subject }),
        isPrivate,
      },
    };
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

/** Passages are told by their words, and not again by their numbers. */
const linesOf = (input: Given, { codings }: ShownSubject): string[] => [
  ...codings,
  ...Object.entries(input)
    .filter(([, value]) => value !== undefined && !(codings.length > 0 && isListOfItems(value)))
    .map(([key, value]) => {
      const words = typeof value === "string" ? value : JSON.stringify(value);
      return `${key}: ${words.length > mostLetters ? `${words.slice(0, mostLetters)}…` : words}`;
    }),
];

const isListOfItems = (value: unknown): boolean =>
  Array.isArray(value) && typeof value[0] === "object";
