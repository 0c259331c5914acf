import type { RawDatabase } from "../database.ts";

/** What a statement may be made of. A trigger that was not seen fails when it is about to run. */
const limits = {
  length: 128_000_000,
  sqlLength: 1_000_000,
  column: 200,
  attach: 1,
  triggerDepth: 0,
};

/** SQLite's numbers for what a statement is about to do. */
const actions = {
  createTempTrigger: 5,
  createTrigger: 7,
  read: 20,
  select: 21,
  attach: 24,
  detach: 25,
  createVirtualTable: 29,
  dropVirtualTable: 30,
  function: 31,
};

const allowed = 0;
const denied = 1;

const never: ReadonlySet<number> = new Set([
  actions.createTempTrigger,
  actions.createTrigger,
  actions.createVirtualTable,
  actions.dropVirtualTable,
]);

/** What our own views do; a trigger does more. */
const reading: ReadonlySet<number> = new Set([actions.read, actions.select, actions.function]);

const dangerousFunctions: ReadonlySet<string> = new Set(["load_extension", "fts3_tokenizer"]);

/** What a connection to such a file is made ready with. */
export function guardAgainst(): {
  prepare(raw: RawDatabase): void;
  /** Lets `VACUUM INTO` attach the file that it writes, as long as the work takes. */
  copying(work: () => void): void;
} {
  let isCopying = false;
  return {
    prepare(raw) {
      if (raw.limits) Object.assign(raw.limits, limits);
      raw.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
      raw.setAuthorizer((action, _first, second, _schema, accessor) => {
        if (never.has(action)) return denied;
        if (action === actions.attach || action === actions.detach) {
          return isCopying ? allowed : denied;
        }
        // The name of the view or trigger that does it, where it is not the statement itself.
        if (accessor && !reading.has(action)) return denied;
        const name = action === actions.function ? (second ?? "").toLowerCase() : "";
        return dangerousFunctions.has(name) ? denied : allowed;
      });
    },
    copying(work) {
      isCopying = true;
      try {
        work();
      } finally {
        isCopying = false;
      }
    },
  };
}
