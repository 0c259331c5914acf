import { readSettings } from "../../src/kernel/home/settings.ts";
import { type App, openApp } from "../../src/kernel/runtime/app.ts";
import { createLog } from "../../src/kernel/runtime/log.ts";
import { shelves } from "../../src/shelves.ts";

/** Every shelf on one home, in this process, like a command. */
export interface InProcessApp {
  library: App;
  /** An operation's output; throws on failure. */
  call<Result = Record<string, unknown>>(name: string, input?: object): Promise<Result>;
  close(): Promise<void>;
}

export function openInProcessApp(home: string, root = home): InProcessApp {
  const app = openApp({
    shelves,
    settings: readSettings({ root }, { LECTERN_HOME: home }, root),
    identity: { name: "lectern", title: "Lectern", version: "0" },
    log: createLog({ level: "error", write: () => undefined }),
  });
  return {
    library: app,
    async call<Result>(name: string, input: object = {}) {
      const entry = app.catalogue.find(name);
      if (!entry) throw new Error(`There is no ${name}.`);
      const outcome = await app.call(entry, input, { actor: { surface: "cli" } });
      // Outputs are checked against their schemas by `perform`.
      if (outcome.ok) return outcome.value as Result;
      throw outcome.failure ?? new Error(`${name} asks for input.`);
    },
    close: () => app.close(),
  };
}
