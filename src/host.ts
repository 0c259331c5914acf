import { parentPort, workerData } from "node:worker_threads";
import { channelOver } from "./kernel/host/channel.ts";
import { type HostChannel, logOver, serveShelf } from "./kernel/host/serving.ts";
import { type Identity, openLibrary } from "./kernel/library.ts";
import type { Settings } from "./kernel/settings.ts";
import { shelves } from "./shelves.ts";

/** What a host is started with. */
export interface HostJob {
  /** The name of the shelf whose operations it runs. */
  shelf: string;
  settings: Settings;
  identity: Identity;
}

/** Runs in a worker thread: opens the same home as the process that it works for. */
export function serveHost(): void {
  if (!parentPort) throw new Error("A host runs in a worker thread.");
  const { shelf: name, settings, identity } = workerData as HostJob;
  const shelf = shelves.find((known) => known.name === name);
  if (!shelf) throw new Error(`There is no shelf ${name}.`);
  const channel: HostChannel = channelOver(parentPort);
  const log = logOver(channel, settings.logLevel);
  const library = openLibrary({ shelves, settings, identity, log });
  serveShelf(channel, {
    shelf,
    state: () => library.stateOf(shelf),
    takeFiles: (batch, options) => library.house.intake.take(batch, options),
  });
}
