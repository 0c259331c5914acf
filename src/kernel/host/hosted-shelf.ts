import { createFairQueue } from "../processes/fair-queue.ts";
import type { AnyShelf } from "../shelf.ts";
import type { SqlTables } from "../sql/dataset.ts";
import type { Host } from "./host.ts";
import type { SentSqlTables } from "./shelf-server.ts";

/**
 * The same shelf with its operations run in a host. Definitions and schemas are unchanged, so
 * `perform` validates inputs and outputs and applies time limits as for any other shelf.
 */
export function hostedShelf(shelf: AnyShelf, host: Host): AnyShelf {
  const { sqlTables } = shelf;
  if (
    shelf.resources ||
    shelf.prompts ||
    shelf.onDocumentChanges ||
    shelf.watch ||
    shelf.reconcile
  ) {
    throw new Error(`The shelf ${shelf.name} has parts that no host can run.`);
  }
  return {
    ...shelf,
    operations: shelf.operations.map((operation) => ({
      ...operation,
      run: (input, _state, call) =>
        host.request({ operation: operation.name }, input, call) as Promise<
          Record<string, unknown>
        >,
    })),
    open: () => undefined,
    ...(sqlTables && {
      sqlTables: {
        tables: sqlTables.tables,
        async open(_state: unknown, { sql, call }) {
          const sent = (await host.request({ sqlTables: true }, sql, call)) as SentSqlTables;
          return fromSentTables(sent);
        },
      } satisfies AnyShelf["sqlTables"],
    }),
  };
}

/** The same shelf with its heavy calls run in a host, one at a time, scheduled fairly. */
export function offloadHeavyCalls(shelf: AnyShelf, host: Host): AnyShelf {
  const queue = createFairQueue({ slots: 1, what: "heavy calls" });
  return {
    ...shelf,
    operations: shelf.operations.map((operation) => {
      const { name, effect, isHeavy } = operation;
      if (!isHeavy) return operation;
      if (effect !== "reads") throw new Error(`${name} is heavy but not read-only.`);
      const runInHost: typeof operation.run = (input, _state, call) =>
        queue.run(
          call,
          () => host.request({ operation: name }, input, call) as Promise<Record<string, unknown>>,
          call.signal,
        );
      return {
        ...operation,
        run: async (input, state, call) =>
          ((await isHeavy(input, state)) ? runInHost : operation.run)(input, state, call),
      };
    }),
  };
}

function fromSentTables({ parts, ...tables }: SentSqlTables): SqlTables {
  const partsWithRows = [...parts].map(
    ([key, { version, rows }]) => [key, { version, rows: () => rows }] as const,
  );
  return { ...tables, parts: new Map(partsWithRows) };
}
