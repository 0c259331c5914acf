import type { Call } from "./call.ts";
import type { VerifiedPart } from "./damage.ts";
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
  /**
   * Given where operations open files that strangers wrote: a process that serves has them run in a
   * host, which can be ended without ending the server.
   */
  readonly isolation?: Isolation<State>;
  /** What users may ask about by SQL; made for a statement that names one of the tables. */
  lends?: {
    readonly tables: readonly string[];
    now(state: State, asked: { sql: string; call: Call }): Lending | Promise<Lending>;
  };
  /** What the shelf derived, to be compared with its checksums. */
  readonly verified?: readonly VerifiedPart[];
  /** Forgets what is damaged, all where it is broken; documents are handed over again afterwards. */
  forgetDamaged?(state: State, damage: { documents: ReadonlySet<number>; isBroken: boolean }): void;
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

/** What lets a new host continue where one that has ended was. */
export interface Isolation<State> {
  /** The state that outlives a host, as plain data; it is asked for after each call. */
  keep(state: State): unknown;
  /**
   * Called in a new host before its first call. `wasFatal`: the last host had to be ended while it
   * worked on this state, so that restoring it could end the new one as well.
   */
  restore(state: State, kept: unknown, circumstances: { wasFatal: boolean }): void | Promise<void>;
  /** Whether a call works on what is kept; else the end of a host during the call says nothing about it. */
  isAbout(kept: unknown, operation: string, input: unknown): boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of shelves forgets each one's state
export type AnyShelf = Shelf<any>;

export const defineShelf = <State>(shelf: Shelf<State>): Shelf<State> => shelf;
