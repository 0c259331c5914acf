import type { ReadTarget } from "./home-address.ts";
import type { HostChoice } from "./host-choice.ts";
import { databaseBusy } from "./postgres-errors.ts";
import type { Session } from "./session.ts";

/** A limited number of sessions with hosts of one kind. */
export interface SessionPool {
  /** Runs `work` on a session that no other caller uses. */
  use<Result>(work: (session: Session) => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  readonly roundTrips: number;
  close(): Promise<void>;
}

export interface PoolLimits {
  sessions: number;
  /** How long a caller waits for a session, whether none is free or no host answers. */
  acquireMs: number;
  /** Idle sessions are closed after this time. */
  idleMs: number;
}

interface IdleSession {
  session: Session;
  timer: NodeJS.Timeout;
}

export function openSessionPool(
  hosts: HostChoice,
  target: ReadTarget,
  { sessions: limit, acquireMs, idleMs }: PoolLimits,
): SessionPool {
  const idle: IdleSession[] = [];
  const waiting: (() => void)[] = [];
  let inUse = 0;
  let roundTrips = 0;
  let isClosed = false;

  const waitForTurn = async (signal: AbortSignal | undefined): Promise<void> => {
    if (inUse < limit) {
      inUse++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (error: unknown): void => {
        waiting.splice(waiting.indexOf(turn), 1);
        done();
        reject(error);
      };
      const abort = (): void => leave(signal?.reason);
      const timer = setTimeout(() => leave(allInUse(limit)), acquireMs);
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
      };
      const turn = (): void => {
        done();
        resolve();
      };
      signal?.addEventListener("abort", abort, { once: true });
      waiting.push(turn);
    });
  };

  /** The turn passes to the caller that has waited longest. */
  const endTurn = (): void => {
    const next = waiting.shift();
    if (next) next();
    else inUse--;
  };

  const takeIdle = (): Session | undefined => {
    for (let entry = idle.pop(); entry; entry = idle.pop()) {
      clearTimeout(entry.timer);
      if (!entry.session.isLost) return entry.session;
    }
    return undefined;
  };

  const keep = (session: Session): void => {
    if (session.isLost) {
      // The others of this host are probably lost too; a new choice of host is cheap.
      for (const other of idle.filter((entry) => entry.session.host === session.host)) drop(other);
      return;
    }
    if (isClosed) {
      void session.close();
      return;
    }
    const entry: IdleSession = { session, timer: setTimeout(() => drop(entry), idleMs).unref() };
    idle.push(entry);
  };

  const drop = (entry: IdleSession): void => {
    clearTimeout(entry.timer);
    idle.splice(idle.indexOf(entry), 1);
    void entry.session.close();
  };

  return {
    async use(work, signal) {
      signal?.throwIfAborted();
      if (isClosed) throw new Error("The connections to the database are closed.");
      await waitForTurn(signal);
      try {
        const session = takeIdle() ?? (await hosts.open(target, acquireMs, signal));
        const before = session.roundTrips;
        try {
          return await work(session);
        } finally {
          roundTrips += session.roundTrips - before;
          keep(session);
        }
      } finally {
        endTurn();
      }
    },
    get roundTrips() {
      return roundTrips;
    },
    async close() {
      isClosed = true;
      const entries = idle.splice(0);
      for (const { timer } of entries) clearTimeout(timer);
      await Promise.all(entries.map(({ session }) => session.close()));
    },
  };
}

const allInUse = (limit: number) =>
  databaseBusy(
    `All ${limit} connections to the database are in use.`,
    "Try again, or ask for less.",
  );
