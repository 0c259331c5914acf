import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../failure.ts";
import type { Log } from "./log.ts";
import { openPostgresRuntime, openRuntime, type RuntimeOptions } from "./open-runtime.ts";
import type { Runtime } from "./runtime.ts";

/** Opens the home when it is first used. */
export interface HomeConnection {
  /** Fails while a database is not connected; see `prepare`. */
  getRuntime(): Runtime;
  /**
   * Connects a home on PostgreSQL, or reads what other servers have changed. A home in a folder needs
   * neither.
   */
  prepare(): Promise<void> | undefined;
  /** Tries to connect until it succeeds: a server also starts while its database is not available. */
  connect(log: Log): Promise<void>;
  stopConnecting(): void;
  close(): Promise<void>;
}

const retryMs = 1_000;

export function openHomeConnection(
  options: () => RuntimeOptions,
  onOpened: (runtime: Runtime) => void,
): HomeConnection {
  const stopping = new AbortController();
  let runtime: Runtime | undefined;
  let connecting: Promise<void> | undefined;

  function use(opened: Runtime): Runtime {
    runtime = opened;
    onOpened(opened);
    return opened;
  }

  function prepare(): Promise<void> | undefined {
    if (runtime) return runtime.refresh();
    const { database } = options().settings;
    if (!database) return undefined;
    // After a failure, the next call tries again.
    connecting ??= openPostgresRuntime(options(), database)
      .then((opened) => void use(opened))
      .finally(() => {
        connecting = undefined;
      });
    return connecting;
  }

  return {
    getRuntime() {
      if (runtime) return runtime;
      if (options().settings.database) throw notConnected();
      return use(openRuntime(options()));
    },
    prepare,
    async connect(log) {
      for (let lastProblem = ""; !stopping.signal.aborted; ) {
        try {
          return await prepare();
        } catch (error) {
          const { message } = error as Error;
          if (message !== lastProblem) log("error", "the home cannot be opened", { cause: error });
          lastProblem = message;
        }
        await sleep(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    },
    stopConnecting: () => stopping.abort(),
    async close() {
      await connecting?.catch(() => undefined);
      await Promise.all([runtime?.reader.close(), runtime?.models.close()]);
      await runtime?.close();
    },
  };
}

const notConnected = (): Failure =>
  new Failure("unavailable", "not-connected", "The database of the home is not connected yet.", {
    hints: ["Try again in a moment."],
  });
