import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../failure.ts";
import {
  type DatabaseHost,
  describeHost,
  type PostgresHome,
  type ReadTarget,
} from "./home-address.ts";
import { isTransient, readOnlyStandby, unreachable } from "./postgres-errors.ts";
import { openSession, type Session, type SessionDeadlines } from "./session.ts";

export interface HostChoice {
  /** A new session with a host of the wanted kind; waits for a promotion until the deadline. */
  open(target: ReadTarget, deadlineMs: number, signal?: AbortSignal): Promise<Session>;
}

/** The pause between two attempts while no host is suitable. */
const retryMs = 200;

/** Lectern needs features of PostgreSQL 15. */
const oldestVersion = 150_000;

export function openHostChoice(home: PostgresHome, deadlines: SessionDeadlines): HostChoice {
  /** The host that last served each kind, which is asked first. */
  const lastGood = new Map<ReadTarget, DatabaseHost>();
  /** A former primary that comes back has an older timeline, and must not be written to. */
  let newestTimeline = 0;

  const assertSuitable = (session: Session, target: ReadTarget): void => {
    const { host, timeline = 0, serverVersion, isStandby } = session;
    if (serverVersion < oldestVersion) {
      throw new Failure(
        "unavailable",
        "database-refused",
        `${describeHost(host)} runs PostgreSQL ${Math.floor(serverVersion / 10_000)}, which is too old.`,
        { hints: ["Update it to PostgreSQL 18, or at least 15."] },
      );
    }
    if (target === "primary" && isStandby) throw readOnlyStandby(host);
    if (target === "standby" && !isStandby) {
      throw unreachable(`${describeHost(host)} is not a standby.`, "Use prefer-standby or any.");
    }
    if (isStandby) return;
    if (timeline < newestTimeline) {
      const hint = "Make it a standby of the current primary with pg_rewind.";
      throw unreachable(`${describeHost(host)} is a former primary.`, hint);
    }
    newestTimeline = timeline;
  };

  const attempt = async (host: DatabaseHost, target: ReadTarget): Promise<Session> => {
    const session = await openSession(host, home, deadlines);
    try {
      assertSuitable(session, target);
    } catch (error) {
      await session.close();
      throw error;
    }
    lastGood.set(target, host);
    return session;
  };

  /** All hosts are asked at once, so that a vanished one costs no time; the first suitable one wins. */
  const openAny = async (target: ReadTarget): Promise<Session> => {
    const good = lastGood.get(target);
    if (good) {
      try {
        return await attempt(good, target);
      } catch {
        lastGood.delete(target);
      }
    }
    const attempts = home.hosts.map((host) => attempt(host, target));
    const winner = await Promise.any(attempts).catch(async () => {
      const results = await Promise.allSettled(attempts);
      throw mostUseful(results.flatMap((result) => ("reason" in result ? [result.reason] : [])));
    });
    for (const other of attempts) {
      void other.then(
        (session) => (session === winner ? undefined : session.close()),
        () => undefined,
      );
    }
    lastGood.set(target, winner.host);
    return winner;
  };

  const openPreferred = async (target: ReadTarget): Promise<Session> => {
    if (target !== "prefer-standby") return openAny(target);
    if (home.hosts.length === 1) return openAny("any");
    return openAny("standby").catch(() => openAny("any"));
  };

  return {
    async open(target, deadlineMs, signal) {
      const end = performance.now() + deadlineMs;
      for (;;) {
        signal?.throwIfAborted();
        try {
          return await openPreferred(target);
        } catch (error) {
          if (!isTransient(error) || performance.now() + retryMs > end) throw error;
        }
        await sleep(retryMs, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}

/** What the user has to correct comes before what may pass, and a reason before a standby. */
function mostUseful(errors: readonly unknown[]): unknown {
  const rank = (error: unknown): number =>
    !isTransient(error) ? 0 : (error as Failure).code === "database-read-only" ? 2 : 1;
  return [...errors].sort((one, other) => rank(one) - rank(other))[0];
}
