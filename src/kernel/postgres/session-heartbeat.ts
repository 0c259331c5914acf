import type { Session } from "./session.ts";

interface Heartbeat {
  intervalMs: number;
  deadlineMs: number;
}

/**
 * Asks the server for a sign of life at intervals, and closes the session if none comes: a vanished
 * host closes nothing itself. Stops when the session ends.
 */
export function keepAlive(session: Session, { intervalMs, deadlineMs }: Heartbeat): void {
  const beat = async (): Promise<void> => {
    try {
      await session.query("SELECT 1", [], { deadlineMs });
      timer = setTimeout(beat, intervalMs).unref();
    } catch {
      await session.close();
    }
  };
  let timer = setTimeout(beat, intervalMs).unref();
  void session.ended.then(() => clearTimeout(timer));
}
