import type { ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import type { Event } from "@parcel/watcher";
import { startChild } from "./child-process.ts";
import { isVirtual, mountsNow } from "./mounts.ts";

/** What the system says about files below a folder. */
export interface FileEvents {
  /**
   * Listens until the function that it gives is called. Instead of events the listener gets
   * `undefined` when some were lost; from then on it hears nothing more.
   */
  listen(
    folder: string,
    hear: (events: Event[] | undefined) => void,
    options?: ListenOptions,
  ): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

interface ListenOptions {
  /** True where only what lies in the folder itself matters, and nothing in those below it. */
  isFlat?: boolean;
}

/** Folders that are large, change in bulk and hold nobody's own documents. */
const ignored = ["**/node_modules", "**/node_modules/**", "**/.git", "**/.git/**"];

/**
 * The native watcher lives in a child process. In our own it would keep the process alive, in a
 * thread it may abort the process at its end; and what it has confused, only a new one sets right.
 * The child ends when our end of its channel closes, so also when we are killed.
 */
export function openFileEvents(): FileEvents {
  const listeners = new Map<number, (events: Event[] | undefined) => void>();
  const asked = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  let child: ChildProcess | undefined;
  let counter = 0;

  function startWatcher(): ChildProcess {
    const library = createRequire(import.meta.url).resolve("@parcel/watcher");
    const virtual = mountsNow()
      .filter(isVirtual)
      .map(({ place }) => place);
    const started = startChild(["-e", childSource, library, ...ignored, ...virtual]);
    started.on("message", (message: Message) => {
      if ("heard" in message) return listeners.get(message.heard)?.(message.events);
      const question = asked.get(message.answers);
      asked.delete(message.answers);
      if (asked.size === 0) started.channel?.unref();
      if (message.problem === undefined) question?.resolve();
      else question?.reject(new Error(message.problem));
    });
    const lose = () => {
      if (child !== started) return;
      child = undefined;
      for (const { reject } of asked.values()) reject(new Error("The watcher ended."));
      asked.clear();
      const deaf = [...listeners.values()];
      listeners.clear();
      for (const hear of deaf) hear(undefined);
    };
    started.on("error", lose);
    started.on("exit", lose);
    return started;
  }

  /** While an answer is awaited the process must not end. */
  function ask(
    deed: "listen" | "stop",
    id: number,
    folder?: string,
    options?: ListenOptions,
  ): Promise<void> {
    child ??= startWatcher();
    const { channel } = child;
    const number = counter++;
    const order = { number, deed, id, folder, ...options };
    return new Promise((resolve, reject) => {
      asked.set(number, { resolve, reject });
      channel?.ref();
      child?.send(order, (error) => error && reject(error));
    });
  }

  return {
    async listen(folder, hear, options) {
      const id = counter++;
      listeners.set(id, hear);
      try {
        await ask("listen", id, folder, options);
      } catch (error) {
        listeners.delete(id);
        throw error;
      }
      return async () => {
        if (!listeners.delete(id)) return;
        // It fails where a folder was moved away and removed there, and then spoils what follows.
        await ask("stop", id).catch(() => child?.kill());
      };
    },
    async close() {
      listeners.clear();
      child?.kill();
      child = undefined;
    },
  };
}

type Message = { heard: number; events?: Event[] } | { answers: number; problem?: string };

/** Plain JavaScript, so that the child needs no file of its own beside a bundle. */
const childSource = `
  const [, library, ...ignore] = process.argv;
  process.on("disconnect", () => process.exit());
  const { subscribe } = require(library);
  const subscriptions = new Map();
  const deeds = {
    async listen(id, folder, isFlat) {
      const below = isFlat ? ["*/**"] : [];
      const hear = (error, events) =>
        process.send({ heard: id, events: error ? undefined : events });
      subscriptions.set(id, await subscribe(folder, hear, { ignore: [...ignore, ...below] }));
    },
    async stop(id) {
      const subscription = subscriptions.get(id);
      subscriptions.delete(id);
      await subscription?.unsubscribe();
    },
  };
  process.on("message", async ({ number, deed, id, folder, isFlat }) => {
    let problem;
    try {
      await deeds[deed](id, folder, isFlat);
    } catch (error) {
      problem = String(error?.message ?? error);
    }
    process.send({ answers: number, problem });
  });
`;
