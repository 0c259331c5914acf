import type { Log } from "../log.ts";
import type { Settings } from "../settings.ts";
import type { AnyShelf } from "../shelf.ts";
import { type HostConnection, openHost } from "./host.ts";
import { hostedShelf, withHeavyHost } from "./hosted-shelf.ts";

interface IsolationParts {
  startHost: ((shelf: AnyShelf) => HostConnection) | undefined;
  settings: Settings;
  log: Log;
}

/** Time for a host to notice a time limit by itself, in milliseconds. */
const graceMs = 2_000;

/** How long a host for heavy calls is kept without work, in milliseconds. */
const heavyIdleMs = 30_000;

/**
 * The same shelves. Where hosts can be started, those that ask for isolation run in them, and of the
 * others the calls that are heavy.
 */
export function isolated(
  given: readonly AnyShelf[],
  { startHost, settings, log }: IsolationParts,
): { shelves: readonly AnyShelf[]; closeHosts(): Promise<void> } {
  if (!startHost) return { shelves: given, closeHosts: async () => undefined };
  const hosts: ReturnType<typeof openHost>[] = [];
  const shelves = given.map((shelf) => {
    const { isolation } = shelf;
    if (!isolation) {
      if (!shelf.operations.some(({ isHeavy }) => isHeavy)) return shelf;
      const heavy = openHost({
        start: () => startHost(shelf),
        maxSilenceMs: settings.timeLimit + graceMs,
        isAbout: () => false,
        log,
        idleMs: heavyIdleMs,
      });
      hosts.push(heavy);
      return withHeavyHost(shelf, heavy);
    }
    const host = openHost({
      start: () => startHost(shelf),
      maxSilenceMs: settings.timeLimit + graceMs,
      isAbout: (kept, target, input) =>
        "lends" in target ||
        ("operation" in target && isolation.isAbout(kept, target.operation, input)),
      log,
    });
    hosts.push(host);
    return hostedShelf(shelf, host);
  });
  return {
    shelves,
    closeHosts: async () => void (await Promise.all(hosts.map((host) => host.close()))),
  };
}
