import type { CodeSymbol } from "./code-symbol.ts";
import type { GrammarName } from "./grammars.ts";

/** A file to be read by the process that parses. */
export interface ParseJob {
  grammar: GrammarName;
  text: string;
}

export type ParseOutcome = { symbols: CodeSymbol[] } | { problem: string };

/** `shouldReplace`: the process used so much memory that the next file needs a new process. */
export type ParseReply = ParseOutcome & { shouldReplace: boolean };
