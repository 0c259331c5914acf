import { type Library, openLibrary } from "../../src/kernel/library.ts";
import { makeLog } from "../../src/kernel/log.ts";
import { readSettings } from "../../src/kernel/settings.ts";
import { shelves } from "../../src/shelves.ts";

/** Every shelf on one home, in this process, as somebody at a shell is served. */
export interface OpenedLibrary {
  library: Library;
  /** What an operation answers; its failure is thrown. */
  call<Result = Record<string, unknown>>(name: string, input?: object): Promise<Result>;
  close(): Promise<void>;
}

export function openedLibrary(home: string, root = home): OpenedLibrary {
  const library = openLibrary({
    shelves,
    settings: readSettings({ root }, { LECTERN_HOME: home }, root),
    identity: { name: "lectern", title: "Lectern", version: "0" },
    log: makeLog({ level: "error", write: () => undefined }),
  });
  return {
    library,
    async call<Result>(name: string, input: object = {}) {
      const entry = library.catalogue.find(name);
      if (!entry) throw new Error(`There is no ${name}.`);
      const outcome = await library.call(entry, input, { actor: { surface: "cli" } });
      // Outputs are checked against their schemas by `perform`.
      if (outcome.ok) return outcome.value as Result;
      throw outcome.failure ?? new Error(`${name} asks for something.`);
    },
    close: () => library.close(),
  };
}
