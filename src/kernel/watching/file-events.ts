import type { ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import type { Event } from "@parcel/watcher";
import { isVirtualFileSystem, listMounts } from "../paths/mounts.ts";
import { startChild } from "../processes/child-process.ts";

/** File system events below a folder. */
export interface FileEventSource {
  /**
   * Listens until the returned function is called. The listener gets `undefined` if events were
   * lost; it is not called again after that.
   */
  listen(
    folder: string,
    onEvents: (events: Event[] | undefined) => void,
    options?: ListenOptions,
  ): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

interface ListenOptions {
  /** Whether to ignore subfolders. */
  isFlat?: boolean;
}

/** Large folders that change in bulk and contain no documents of the user. */
const ignoredGlobs = ["**/node_modules", "**/node_modules/**", "**/.git", "**/.git/**"];

/**
 * The native watcher runs in a child process. In this process it would keep the event loop alive,
 * in a worker thread it may abort the process at exit, and after some errors only a new process
 * works. The child exits when its IPC channel closes, even if this process is killed.
 */
export function openFileEventSource(): FileEventSource {
  const listeners = new Map<number, (events: Event[] | undefined) => void>();
  const pendingRequests = new Map<
    number,
    { resolve: () => void; reject: (error: Error) => void }
  >();
  let child: ChildProcess | undefined;
  let counter = 0;

  function startWatcherProcess(): ChildProcess {
    const watcherModule = createRequire(import.meta.url).resolve("@parcel/watcher");
    const virtual = listMounts()
      .filter(isVirtualFileSystem)
      .map(({ path }) => path);
    const started = startChild(["-e", watcherSource, watcherModule, ...ignoredGlobs, ...virtual]);
    started.on("message", (message: WatcherMessage) => {
      if ("listener" in message) return listeners.get(message.listener)?.(message.events);
      const pending = pendingRequests.get(message.replyTo);
      pendingRequests.delete(message.replyTo);
      if (pendingRequests.size === 0) started.channel?.unref();
      if (message.problem === undefined) pending?.resolve();
      else pending?.reject(new Error(message.problem));
    });
    const onChildLost = () => {
      if (child !== started) return;
      child = undefined;
      for (const { reject } of pendingRequests.values()) reject(new Error("The watcher ended."));
      pendingRequests.clear();
      const lostListeners = [...listeners.values()];
      listeners.clear();
      for (const onEvents of lostListeners) onEvents(undefined);
    };
    started.on("error", onChildLost);
    started.on("exit", onChildLost);
    return started;
  }

  /** The channel is referenced while a reply is pending, so that this process does not exit. */
  function sendRequest(
    command: "listen" | "stop",
    id: number,
    folder?: string,
    options?: ListenOptions,
  ): Promise<void> {
    child ??= startWatcherProcess();
    const { channel } = child;
    const number = counter++;
    const request = { number, command, id, folder, ...options };
    return new Promise((resolve, reject) => {
      pendingRequests.set(number, { resolve, reject });
      channel?.ref();
      child?.send(request, (error) => error && reject(error));
    });
  }

  return {
    async listen(folder, onEvents, options) {
      const id = counter++;
      listeners.set(id, onEvents);
      try {
        await sendRequest("listen", id, folder, options);
      } catch (error) {
        listeners.delete(id);
        throw error;
      }
      return async () => {
        if (!listeners.delete(id)) return;
        // Unsubscribing fails for a folder that was moved and then removed, and breaks the watcher.
        await sendRequest("stop", id).catch(() => child?.kill());
      };
    },
    async close() {
      listeners.clear();
      child?.kill();
      child = undefined;
    },
  };
}

type WatcherMessage =
  | { listener: number; events?: Event[] }
  | { replyTo: number; problem?: string };

/** Plain JavaScript passed with `-e`, so that the bundle needs no second file. */
const watcherSource = `
  const [, library, ...ignore] = process.argv;
  process.on("disconnect", () => process.exit());
  if (!process.connected) process.exit();
  const { subscribe } = require(library);
  const subscriptions = new Map();
  const commands = {
    async listen(id, folder, isFlat) {
      const below = isFlat ? ["*/**"] : [];
      const onEvents = (error, events) =>
        process.send({ listener: id, events: error ? undefined : events });
      // A mount above the folder does not apply to it: /dev is virtual, but /dev/shm is not.
      const others = ignore.filter((path) => !folder.startsWith(path + "/"));
      subscriptions.set(id, await subscribe(folder, onEvents, { ignore: [...others, ...below] }));
    },
    async stop(id) {
      const subscription = subscriptions.get(id);
      subscriptions.delete(id);
      await subscription?.unsubscribe();
    },
  };
  process.on("message", async ({ number, command, id, folder, isFlat }) => {
    let problem;
    try {
      await commands[command](id, folder, isFlat);
    } catch (error) {
      problem = String(error?.message ?? error);
    }
    process.send({ replyTo: number, problem });
  });
`;
