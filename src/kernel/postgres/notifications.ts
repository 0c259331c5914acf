import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresDatabase } from "./postgres-client.ts";
import type { Session } from "./session.ts";
import { keepAlive } from "./session-heartbeat.ts";

export interface Listening {
  close(): Promise<void>;
}

interface ListenOptions {
  channel: string;
  /**
   * Something may have changed: a notification came, or the connection is new and one may have been
   * missed. What changed is read from rows.
   */
  onWake: () => void;
}

const heartbeat = { intervalMs: 5_000, deadlineMs: 2_000 };
const reconnectMs = 500;

/**
 * Listens on the primary, since a standby sends no notifications, and connects again after each loss.
 * Resolves when it listens for the first time.
 */
export async function listen(
  database: PostgresDatabase,
  { channel, onWake }: ListenOptions,
): Promise<Listening> {
  const stop = new AbortController();
  const connect = async (): Promise<Session> => {
    const session = await database.openSession(stop.signal);
    session.onNotification(onWake);
    try {
      await session.query(`LISTEN "${channel.replaceAll('"', '""')}"`);
    } catch (error) {
      await session.close();
      throw error;
    }
    keepAlive(session, heartbeat);
    return session;
  };
  let session = await connect();
  const stayConnected = async (): Promise<void> => {
    for (;;) {
      await session.ended;
      if (stop.signal.aborted) return;
      try {
        session = await connect();
        onWake();
      } catch {
        await sleep(reconnectMs, undefined, { signal: stop.signal }).catch(() => undefined);
      }
      if (stop.signal.aborted) await session.close();
    }
  };
  const running = stayConnected();
  return {
    async close() {
      stop.abort();
      await session.close();
      await running;
    },
  };
}
