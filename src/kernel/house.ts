import type { Boundary } from "./boundary.ts";
import type { Call } from "./call.ts";
import type { ChangeLog } from "./change-log.ts";
import type { ConfigFile } from "./config.ts";
import type { Converted } from "./converted.ts";
import type { Database } from "./database.ts";
import type { Documents, Root } from "./documents.ts";
import type { Patience } from "./first-reading.ts";
import type { Reader } from "./formats/reader.ts";
import type { Intake } from "./intake.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Models } from "./models/models.ts";
import type { Notices } from "./notices.ts";
import type { PerformByName } from "./perform.ts";
import type { PrivateFiles } from "./private-files.ts";
import type { Proposals } from "./proposals.ts";
import type { Queue } from "./queue.ts";
import type { Running } from "./running.ts";
import type { Settings } from "./settings.ts";
import type { Lending } from "./sql/set.ts";
import type { Viewers } from "./viewers.ts";

/** What stands under every shelf; opened in one place and handed down as an argument. */
export interface House {
  readonly settings: Settings;
  readonly log: Log;
  readonly boundary: Boundary;
  /** What the boundary hides of projects; the shelf of projects keeps it up to date. */
  readonly privateFiles: PrivateFiles;
  /** What a shelf may show: with a force root, only the collections inside. */
  readonly config: ConfigFile;
  /** Every configured collection; the index is filled from all, whatever this process may show. */
  roots(): Root[];
  readonly db: Database;
  readonly documents: Documents;
  /** How often the index has changed: the same number in every process, larger after each change. */
  revision(): number;
  /** Whether the index has come so far, at once or within a few seconds and while the signal is on. */
  waitForRevision(revision: number, signal?: AbortSignal): Promise<boolean>;
  /** Waits for the first reading of these roots, not for ever; gives those that are not whole then. */
  waitForFirstReading(roots: readonly string[], patience?: Patience): Promise<string[]>;
  /** What turns files into text. */
  readonly reader: Reader;
  /** The texts of files that are no plain text. */
  readonly converted: Converted;
  /** The models that are configured, or ship with the program; none is loaded before it is needed. */
  readonly models: Models;
  /** The way from files on disk to the shelves. */
  readonly intake: Intake;
  /**
   * Compares a slice of the store with its checksums, or all of it where damage is suspected or the
   * caller asks for it. Forgets what is damaged; the next scan fills it again. Gives what was found,
   * in words.
   */
  repairDerived(options?: { isWhole?: boolean }): Promise<readonly string[]>;
  /** Does what shelves have left for later. */
  tend(signal: AbortSignal): Promise<void>;
  readonly notices: Notices;
  /** The pages that hear of notices. */
  readonly viewers: Viewers;
  readonly proposals: Proposals;
  readonly changes: ChangeLog;
  readonly metrics: Metrics;
  readonly queue: Queue;
  /** What takes its time, for those who wonder. */
  readonly running: Running;
  /** Runs an operation of any shelf by its name, within the call of another. */
  readonly performByName: PerformByName;
  /** What the shelves in use lend to a statement of a user. */
  lendings(sql: string, call: Call): Promise<Lending[]>;
}
