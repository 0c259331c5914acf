import { homeGone } from "../files/file-identity.ts";
import { openHeartbeat, readLastHolder } from "../home/heartbeat.ts";
import { openLease } from "../home/lease.ts";
import type { HomeFiles } from "../home/settings.ts";
import { type AdvisoryLock, tryAdvisoryLock } from "../postgres/advisory-lock.ts";
import { type Listening, listen } from "../postgres/notifications.ts";
import type { OpenedPostgresHome } from "../postgres/open-home.ts";
import type { Log } from "../runtime/log.ts";
import type { Database } from "../storage/database.ts";

/** How the processes of a home take turns: one of them watches the folders and updates the index. */
export interface IndexTurns {
  /**
   * Called at each poll. Tries to become the process that watches; returns whether this one watches
   * now. `onTaken` is called when it has become so.
   */
  take(onTaken: () => void): boolean | Promise<boolean>;
  readonly isActive: boolean;
  /** Whether other processes may have committed since the last call. */
  mayHaveNews(): boolean;
  /** Calls the listener when other processes have committed, where this is announced. */
  onNews(listener: () => void): void;
  close(): void | Promise<void>;
}

/**
 * While the lease holder is stalled, one other process, the deputy, watches instead. Both may index
 * at the same time, since each transaction rechecks what the other has recorded.
 */
export function openSqliteIndexTurns(db: Database, files: HomeFiles, log: Log): IndexTurns {
  const lease = openLease(files.lease);
  const deputyLease = openLease(files.deputyLease);
  const heartbeat = openHeartbeat(files.heartbeat);
  let version = db.dataVersion();
  const isActive = (): boolean => lease.isHeld || deputyLease.isHeld;

  function updateDeputy(isNeeded: boolean): void {
    if (isNeeded === deputyLease.isHeld) return;
    if (isNeeded) {
      if (!deputyLease.tryAcquire()) return;
      const pid = readLastHolder(files.heartbeat);
      log("warn", "the process that watches the folders is stalled; this one takes over", { pid });
      return;
    }
    deputyLease.release();
    if (!lease.isHeld) log("info", "the process that watches the folders has resumed");
  }

  const close = (): void => {
    lease.close();
    deputyLease.close();
  };
  return {
    take(onTaken) {
      if (!db.isInPlace()) {
        // Another home may now exist at this path. This process must not hold its leases.
        close();
        throw homeGone();
      }
      if (!lease.isHeld && lease.tryAcquire()) {
        log("debug", "took the lease");
        onTaken();
      }
      if (lease.isHeld) heartbeat.beat();
      updateDeputy(!lease.isHeld && heartbeat.isStalled());
      return isActive();
    },
    get isActive() {
      return isActive();
    },
    mayHaveNews() {
      const before = version;
      version = db.dataVersion();
      return version !== before;
    },
    onNews() {},
    close,
  };
}

/** The server frees the lock of a process that has ended or cannot be reached. */
export function openPostgresIndexTurns(
  { database, channel, lease }: OpenedPostgresHome,
  log: Log,
): IndexTurns {
  let lock: AdvisoryLock | undefined;
  let listening: Promise<Listening> | undefined;
  const isActive = (): boolean => lock !== undefined && !lock.lost.aborted;
  return {
    async take(onTaken) {
      if (isActive()) return true;
      // Usually another server has it; this needs no connection of its own to find out.
      const isFree = await database.primary.get<{ free: boolean }>(
        "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS free",
        [lease],
      );
      if (!isFree?.free) return false;
      lock = await tryAdvisoryLock(database, lease);
      if (!lock) return false;
      log("debug", "took the lease");
      onTaken();
      return true;
    },
    get isActive() {
      return isActive();
    },
    mayHaveNews: () => true,
    onNews(listener) {
      listening = listen(database, { channel, onWake: listener });
      // The polls tell the user that the database is not available.
      listening.catch(() => undefined);
    },
    async close() {
      await lock?.release();
      await (await listening?.catch(() => undefined))?.close();
    },
  };
}
