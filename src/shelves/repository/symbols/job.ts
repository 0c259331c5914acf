import type { GrammarName } from "./grammars.ts";
import type { CodeSymbol } from "./symbol.ts";

/** A file to be read by the process that parses. */
export interface ParseJob {
  grammar: GrammarName;
  text: string;
}

export type ParseOutcome = { symbols: CodeSymbol[] } | { problem: string };

/** A process that is spent has taken so much memory that the next file gets another one. */
export type ParseAnswer = ParseOutcome & { isSpent: boolean };
