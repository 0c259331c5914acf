import { parentPort, workerData } from "node:worker_threads";
import type { Settings } from "./kernel/home/settings.ts";
import { toChannel } from "./kernel/host/channel.ts";
import { type HostChannel, logToChannel, serveShelf } from "./kernel/host/shelf-server.ts";
import { type Identity, openApp } from "./kernel/runtime/app.ts";
import { shelves } from "./shelves.ts";

/** The parameters of a host. */
export interface HostJob {
  /** The shelf whose operations the host runs. */
  shelf: string;
  settings: Settings;
  identity: Identity;
}

/** Entry point of the worker thread: opens the same home as the process that started it. */
export function serveHost(): void {
  if (!parentPort) throw new Error("A host runs in a worker thread.");
  const { shelf: name, settings, identity } = workerData as HostJob;
  const shelf = shelves.find((known) => known.name === name);
  if (!shelf) throw new Error(`Unknown shelf: ${name}.`);
  const channel: HostChannel = toChannel(parentPort);
  const log = logToChannel(channel, settings.logLevel);
  const app = openApp({ shelves, settings, identity, log });
  serveShelf(channel, {
    shelf,
    async state() {
      await app.prepare();
      return app.stateOf(shelf);
    },
    async indexFiles(batch, options) {
      await app.prepare();
      return app.runtime.indexer.indexFiles(batch, options);
    },
  });
}
