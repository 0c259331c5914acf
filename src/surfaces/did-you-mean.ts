import { similarNames } from "../text/strings/similar-names.ts";

/** A hint with the known name most similar to an unknown one; no hint if none is similar. */
export function didYouMean(unknown: string, known: readonly string[], prefix = ""): string[] {
  const [guess] = similarNames(unknown, known, 1);
  return guess === undefined ? [] : [`Did you mean '${prefix}${guess}'?`];
}
