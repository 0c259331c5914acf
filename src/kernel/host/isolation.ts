import type { Settings } from "../home/settings.ts";
import type { Log } from "../runtime/log.ts";
import type { AnyShelf } from "../shelf.ts";
import { type HostConnection, openHost } from "./host.ts";
import { hostedShelf, offloadHeavyCalls } from "./hosted-shelf.ts";

interface IsolationOptions {
  startHost: ((shelf: AnyShelf) => HostConnection) | undefined;
  settings: Settings;
  log: Log;
}

/** Extra time in which a host can enforce the time limit itself, in milliseconds. */
const graceMs = 2_000;

/** How long an idle host for heavy calls is kept alive, in milliseconds. */
const heavyIdleMs = 30_000;

/**
 * The same shelves; if hosts can be started, shelves with `isolation` run in them, and so do the
 * heavy calls of the others.
 */
export function isolateShelves(
  originals: readonly AnyShelf[],
  { startHost, settings, log }: IsolationOptions,
): { shelves: readonly AnyShelf[]; closeHosts(): Promise<void> } {
  if (!startHost) return { shelves: originals, closeHosts: async () => undefined };
  const hosts: ReturnType<typeof openHost>[] = [];
  const shelves = originals.map((shelf) => {
    const { isolation } = shelf;
    if (!isolation) {
      if (!shelf.operations.some(({ isHeavy }) => isHeavy)) return shelf;
      const heavy = openHost({
        start: () => startHost(shelf),
        maxSilenceMs: settings.timeLimit + graceMs,
        usesSavedState: () => false,
        log,
        idleMs: heavyIdleMs,
      });
      hosts.push(heavy);
      return offloadHeavyCalls(shelf, heavy);
    }
    const host = openHost({
      start: () => startHost(shelf),
      maxSilenceMs: settings.timeLimit + graceMs,
      usesSavedState: (saved, target, input) =>
        "sqlTables" in target ||
        ("operation" in target && isolation.appliesTo(saved, target.operation, input)),
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
