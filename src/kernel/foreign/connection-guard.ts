import type { RawDatabase } from "../storage/database.ts";

/** SQLite limits. With a trigger depth of 0, a trigger that the checks missed fails when it runs. */
const limits = {
  length: 128_000_000,
  sqlLength: 1_000_000,
  column: 200,
  attach: 1,
  triggerDepth: 0,
};

/** SQLite's authorizer action codes (SQLITE_READ, SQLITE_SELECT …). */
const actions = {
  createTempTrigger: 5,
  createTrigger: 7,
  pragma: 19,
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

const deniedActions: ReadonlySet<number> = new Set([
  actions.createTempTrigger,
  actions.createTrigger,
  actions.createVirtualTable,
  actions.dropVirtualTable,
]);

/** The only actions allowed inside a view or trigger: those that a view needs. */
const readActions: ReadonlySet<number> = new Set([actions.read, actions.select, actions.function]);

const dangerousFunctions: ReadonlySet<string> = new Set(["load_extension", "fts3_tokenizer"]);

/** The pragmas that this program uses. Others could disable parts of this guard. */
const allowedPragmas: ReadonlySet<string> = new Set([
  "busy_timeout",
  "data_version",
  "foreign_keys",
  "index_list",
  "index_xinfo",
  "page_count",
  "page_size",
  "schema_version",
  "synchronous",
  "table_info",
  "table_list",
  "table_xinfo",
]);

/** Hardens a connection to an untrusted file: limits, pragmas and an authorizer. */
export function createConnectionGuard(): {
  prepare(raw: RawDatabase): void;
  /** Allows `VACUUM INTO` to attach its output file while the work runs. */
  copying(work: () => void): void;
} {
  let isCopying = false;
  return {
    prepare(raw) {
      if (raw.limits) Object.assign(raw.limits, limits);
      raw.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
      raw.setAuthorizer((action, first, second, _schema, accessor) => {
        if (deniedActions.has(action)) return denied;
        if (action === actions.pragma) {
          return allowedPragmas.has((first ?? "").toLowerCase()) ? allowed : denied;
        }
        if (action === actions.attach || action === actions.detach) {
          return isCopying ? allowed : denied;
        }
        // `accessor` is the view or trigger that causes the action, if the statement itself does not.
        if (accessor && !readActions.has(action)) return denied;
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
