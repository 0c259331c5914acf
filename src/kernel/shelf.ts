import type { Call } from "./call.ts";
import type { DocumentChanges, MovedDocument } from "./documents.ts";
import type { House } from "./house.ts";
import type { Notice } from "./notices.ts";
import type { AnyOperation } from "./operation.ts";
import type { PromptSource } from "./prompt.ts";
import type { ResourceFamily } from "./resource.ts";
import type { Lending } from "./sql/set.ts";
import type { Tables } from "./tables.ts";

/** How a shelf's founding document words its results; the words are in `surfaces/dialects.ts`. */
export type Dialect = "qmd" | "qmdc" | "architecture" | "documcp" | "qualcoder";

/** A module with its own operations, tables and state. Shelves stand side by side and never touch. */
export interface Shelf<State> {
  readonly name: string;
  readonly dialect: Dialect;
  /** Shown whatever `--shelves` says. */
  readonly always?: true;
  /** One sentence for an agent: what is here, and which tool comes first. */
  readonly guide: string;
  readonly tables: Tables;
  readonly operations: readonly AnyOperation<State>[];
  readonly resources?: readonly ResourceFamily<State>[];
  readonly prompts?: PromptSource<State>;
  /** Called once, at the first use of the shelf. */
  open(house: House): State;
  /** What users may ask about by SQL; made for a statement that names one of the tables. */
  lends?: {
    readonly tables: readonly string[];
    now(state: State, asked: { sql: string; call: Call }): Lending | Promise<Lending>;
  };
  /** Takes in what changed on disk, inside the transaction that records it. */
  absorb?(state: State, changes: DocumentChanges): Notice[];
  /**
   * Takes in documents that only have another path, where that is less work than to absorb them.
   * Without it, `absorb` hears that they were removed and then that they were added, with one id.
   */
  relocate?(state: State, moved: readonly MovedDocument[]): Notice[];
  /**
   * Called where a process goes on running: watches what is no document of a collection, and tells
   * this process's own clients. Gives what ends it.
   */
  watch?(state: State, tell: (notices: readonly Notice[]) => void): () => void;
  /** Work that can wait, done by the process that holds the lease after the index has changed. */
  tend?(state: State, signal: AbortSignal): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of shelves forgets each one's state
export type AnyShelf = Shelf<any>;

export const defineShelf = <State>(shelf: Shelf<State>): Shelf<State> => shelf;
