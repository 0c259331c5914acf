import type { Call } from "./call.ts";
import type { DocumentChanges, MovedDocument } from "./documents/documents.ts";
import type { IntegrityCheck } from "./integrity/damage.ts";
import type { Notice } from "./notices/notices.ts";
import type { AnyOperation } from "./operation.ts";
import type { PromptSource } from "./operations/prompt.ts";
import type { ResourceFamily } from "./operations/resource.ts";
import type { Runtime } from "./runtime/runtime.ts";
import type { SqlTables } from "./sql/dataset.ts";
import type { Tables } from "./storage/migrations.ts";
import type { Steps } from "./storage/steps.ts";

/** The specification that prescribes a shelf's texts; see `surfaces/dialects.ts`. */
export type Dialect = "qmd" | "qmdc" | "architecture" | "documcp" | "qualcoder";

/** A module with its own operations, tables and state. Shelves do not import each other. */
export interface Shelf<State> {
  readonly name: string;
  /** A name of earlier versions, which `--shelves` still accepts. */
  readonly formerName?: string;
  readonly dialect: Dialect;
  /** Shown regardless of `--shelves`. */
  readonly isAlwaysShown?: true;
  /** One sentence for an agent: the contents of the shelf and the tool to start with. */
  readonly guide: string;
  readonly tables: Tables;
  readonly operations: readonly AnyOperation<State>[];
  readonly resources?: readonly ResourceFamily<State>[];
  readonly prompts?: PromptSource<State>;
  /** Called once, at the first use of the shelf. */
  open(runtime: Runtime): State;
  /**
   * Set if operations open untrusted files: a server then runs them in a host, which can be
   * terminated without ending the server.
   */
  readonly isolation?: Isolation<State>;
  /** Tables that users may query by SQL; opened for a statement that names one of them. */
  sqlTables?: {
    readonly tables: readonly string[];
    open(state: State, query: { sql: string; call: Call }): SqlTables | Promise<SqlTables>;
  };
  /** Checks of the shelf's derived data against its checksums. */
  readonly integrityChecks?: readonly IntegrityCheck[];
  /**
   * Deletes damaged derived data, or all of it if `isBroken`; the documents are indexed again
   * afterwards.
   */
  forgetDamaged?(state: State, damage: { documents: ReadonlySet<number>; isBroken: boolean }): void;
  /** Applies changes on disk, inside the transaction that records them. */
  onDocumentChanges?(state: State, changes: DocumentChanges): Steps<Notice[]>;
  /**
   * Applies renames of documents, if that is cheaper than indexing them again. Without it,
   * `onDocumentChanges` gets a removal and an addition with the same id.
   */
  onDocumentsMoved?(state: State, moved: readonly MovedDocument[]): Steps<Notice[]>;
  /**
   * Called in long-running processes: watches files other than documents of a collection and
   * notifies this process's clients. Returns a function that stops watching.
   */
  watch?(state: State, notify: (notices: readonly Notice[]) => void): () => void;
  /** Deferred work, run by the lease holder after the index has changed. */
  reconcile?(state: State, signal: AbortSignal): Promise<void>;
}

/** Lets a new host continue after the previous one has ended. */
export interface Isolation<State> {
  /** The state to restore in a new host, as plain data; requested after each call. */
  save(state: State): unknown;
  /**
   * Called in a new host before its first call. `wasFatal`: the previous host had to be terminated
   * while it worked on this state, so restoring it may crash the new host as well.
   */
  restore(state: State, saved: unknown, circumstances: { wasFatal: boolean }): void | Promise<void>;
  /**
   * Whether a call uses the saved state. If a host ends during such a call, the state may be the
   * cause.
   */
  appliesTo(saved: unknown, operation: string, input: unknown): boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of shelves erases their state types
export type AnyShelf = Shelf<any>;

export const defineShelf = <State>(shelf: Shelf<State>): Shelf<State> => shelf;
