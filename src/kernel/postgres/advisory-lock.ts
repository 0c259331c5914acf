import type { PostgresDatabase } from "./postgres-client.ts";
import { keepAlive } from "./session-heartbeat.ts";

/** A lock that the server frees when its session ends, however it ends. */
export interface AdvisoryLock {
  /**
   * Aborts when the lock is lost. The server may give it to another process at the same moment, so a
   * write must also check a number that each holder raises.
   */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/**
 * A holder that hears nothing knows it after three seconds; the server frees the lock of a vanished
 * holder after five (`session.ts` sets its keepalives).
 */
const heartbeat = { intervalMs: 1_000, deadlineMs: 2_000 };

/** Takes the lock of this name, or returns undefined if another session has it. */
export async function tryAdvisoryLock(
  database: PostgresDatabase,
  name: string,
): Promise<AdvisoryLock | undefined> {
  const session = await database.openSession();
  try {
    const { rows } = await session.query<{ taken: boolean }>(
      "SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken",
      [name],
    );
    if (!rows[0]?.taken) {
      await session.close();
      return undefined;
    }
  } catch (error) {
    await session.close();
    throw error;
  }
  const lost = new AbortController();
  void session.ended.then(() => lost.abort());
  keepAlive(session, heartbeat);
  return { lost: lost.signal, release: () => session.close() };
}
