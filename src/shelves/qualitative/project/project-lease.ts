import { hostname } from "node:os";
import { Failure } from "../../../kernel/failure.ts";
import { isAbandoned, temporaryName } from "../../../kernel/files/temporary-name.ts";
import { createSerialQueue, type SerialQueue } from "../../../kernel/processes/serial-queue.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
import type { Store } from "../../../kernel/storage/store.ts";
import { deleteLease, type LeaseHolder, takeLease } from "../storage-leases.ts";

/**
 * The right of this process to serve a project, in a home that several servers share. It expires if
 * its process does not renew it, so a vanished server does not keep a project.
 */
export interface ProjectLease {
  /** Writes to the project run here, one after the other. */
  readonly writes: SerialQueue;
  /** Takes the lease again if it has expired and no other server has taken it. */
  ensureHeld(): Promise<void>;
  /**
   * Extends the lease, in the transaction that records a write. Returns until when the project may
   * be written, for `assertHeldUntil`.
   */
  renew(): Steps<number>;
  release(): Promise<void>;
}

export interface ProjectLeases {
  /** Fails with `PROJECT_OPEN_ELSEWHERE`, which names the server that has the project. */
  acquire(project: string): Promise<ProjectLease>;
}

export interface LeaseOptions {
  store: Store;
  durationMs?: number;
  /** What other processes see; by default, this process. */
  self?: LeaseHolder;
  /** Whether the process of a holder is known to have ended. */
  hasEnded?: (holder: string) => boolean;
}

/** The lease is renewed three times in this time. */
const defaultDurationMs = 30_000;

/** The name tells other processes of this machine whether the holder has ended. */
const thisProcess = (): LeaseHolder => ({
  holder: temporaryName(".lease"),
  host: hostname(),
  pid: process.pid,
});

export function openProjectLeases({
  store,
  durationMs = defaultDurationMs,
  self = thisProcess(),
  hasEnded = isAbandoned,
}: LeaseOptions): ProjectLeases {
  const leases = new Map<string, ReturnType<typeof start>>();
  // A release must not overtake the acquisition that follows it.
  const changes = createSerialQueue();

  function start(project: string) {
    let heldUntil = 0;
    function* renew(): Steps<number> {
      const asked = performance.now();
      const other = yield* takeLease(project, self, { durationMs, hasEnded });
      if (other) throw openElsewhere(other);
      return asked + durationMs;
    }
    const hold = async (): Promise<void> => {
      heldUntil = await store.run(renew());
    };
    const renewLater = (): Promise<void> =>
      changes.run("renew", () => (leases.has(project) ? hold() : undefined));
    // If a renewal fails, the next one or the next write tries again.
    const timer = setInterval(() => void renewLater().catch(() => undefined), durationMs / 3);
    timer.unref();
    const lease: ProjectLease = {
      writes: createSerialQueue(),
      renew,
      async ensureHeld() {
        if (performance.now() >= heldUntil) await hold();
      },
      // A lease that cannot be deleted expires.
      release: () => changes.run("release", () => release(project)).catch(() => undefined),
    };
    return { lease, hold, users: 0, stop: () => clearInterval(timer) };
  }

  async function release(project: string): Promise<void> {
    const entry = leases.get(project);
    if (!entry) return;
    entry.users--;
    if (entry.users > 0) return;
    leases.delete(project);
    entry.stop();
    await store.run(deleteLease(project, self.holder));
  }

  return {
    acquire: (project) =>
      changes.run("acquire", async () => {
        const entry = leases.get(project) ?? start(project);
        try {
          await entry.hold();
        } catch (error) {
          if (entry.users === 0) entry.stop();
          throw error;
        }
        leases.set(project, entry);
        entry.users++;
        return entry.lease;
      }),
  };
}

/** Throws if the lease may have expired since its renewal: another server may have the project. */
export function assertHeldUntil(time: number): void {
  if (performance.now() < time) return;
  throw new Failure("conflict", "PROJECT_LEASE_LOST", "The write took too long.", {
    hints: ["Nothing was changed. Repeat the call."],
  });
}

const openElsewhere = ({ host, pid }: LeaseHolder): Failure =>
  new Failure(
    "conflict",
    "PROJECT_OPEN_ELSEWHERE",
    `The server on ${host} (process ${pid}) has this project open.`,
    { hints: ["Use that server, or close the project there and try again."] },
  );
