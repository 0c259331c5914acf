import type { ChangeLog } from "../approval/change-log.ts";
import type { Proposals } from "../approval/proposals.ts";
import type { Call } from "../call.ts";
import type { Metrics } from "../calls/metrics.ts";
import type { PerformByName } from "../calls/perform.ts";
import type { RunningJobs } from "../calls/running-jobs.ts";
import type { ConversionCache } from "../documents/conversion-cache.ts";
import type { Documents, Root } from "../documents/documents.ts";
import type { Failure } from "../failure.ts";
import type { DocumentReader } from "../formats/document-reader.ts";
import type { ConfigFile } from "../home/config.ts";
import type { Settings } from "../home/settings.ts";
import type { IndexTurns } from "../indexing/index-turns.ts";
import type { Indexer } from "../indexing/indexer.ts";
import type { WaitOptions } from "../indexing/initial-scan.ts";
import type { Models } from "../models/models.ts";
import type { Notices } from "../notices/notices.ts";
import type { PageViewers } from "../notices/viewers.ts";
import type { Boundary } from "../paths/boundary.ts";
import type { PrivateFiles } from "../paths/private-files.ts";
import type { SerialQueue } from "../processes/serial-queue.ts";
import type { SqlTables } from "../sql/dataset.ts";
import type { Database } from "../storage/database.ts";
import type { Steps } from "../storage/steps.ts";
import type { Store } from "../storage/store.ts";
import type { Log } from "./log.ts";

/** The services that all shelves use; opened by `openRuntime` and passed as an argument. */
export interface Runtime {
  readonly settings: Settings;
  readonly log: Log;
  readonly boundary: Boundary;
  /**
   * Files that the boundary hides because they belong to private sources of projects; maintained by
   * the qualitative shelf.
   */
  readonly privateFiles: PrivateFiles;
  /**
   * The configuration that shelves may show: under a force root, only the collections inside it.
   */
  readonly config: ConfigFile;
  /** All configured collections. All are indexed, including those that this process does not show. */
  roots(): Root[];
  /** The store of the home. */
  readonly store: Store;
  /** Reads what other servers of a database have changed; called before each operation. */
  refresh(): Promise<void> | undefined;
  /** Why the home cannot be used any more, if so. */
  homeProblem(): Failure | undefined;
  /** How the processes of the home take turns in watching the folders. */
  openIndexTurns(): IndexTurns;
  close(): Promise<void>;
  /** The same store where it is SQLite; new code uses `store`. */
  readonly db: Database;
  readonly documents: Documents;
  /** The revision of the index: increases with every change, and is the same in all processes. */
  revision(): Steps<number>;
  /** Waits a few seconds for the index to reach a revision; returns whether it has. */
  waitForRevision(revision: number, signal?: AbortSignal): Promise<boolean>;
  /**
   * Waits a limited time for the initial scan of these roots; returns those that are not complete.
   */
  waitForInitialScan(roots: readonly string[], options?: WaitOptions): Promise<string[]>;
  /** Converts files to text. */
  readonly reader: DocumentReader;
  /** The extracted text of files that are not plain text. */
  readonly conversionCache: ConversionCache;
  /** The configured or bundled models; loaded at their first use. */
  readonly models: Models;
  /** Indexes changes on disk and passes them to the shelves. */
  readonly indexer: Indexer;
  /**
   * Verifies a part of the store against its checksums, or all of it if damage is suspected or
   * `isWhole` is set. Deletes damaged rows, which the next scan recreates. Returns descriptions of
   * the damage.
   */
  repairDerived(options?: { isWhole?: boolean }): Promise<readonly string[]>;
  /** Runs the deferred work of the shelves. */
  reconcileShelves(signal: AbortSignal): Promise<void>;
  readonly notices: Notices;
  /** The web pages that receive notices. */
  readonly viewers: PageViewers;
  readonly proposals: Proposals;
  readonly changes: ChangeLog;
  readonly metrics: Metrics;
  readonly queue: SerialQueue;
  /** The long-running jobs of this process. */
  readonly runningJobs: RunningJobs;
  /** Runs an operation of any shelf by name, within the call of another operation. */
  readonly performByName: PerformByName;
  /** The tables of the shown shelves that a user's SQL statement may read. */
  sqlTables(sql: string, call: Call): Promise<SqlTables[]>;
}
