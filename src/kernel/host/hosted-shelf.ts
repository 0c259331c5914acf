import { makeFairQueue } from "../fair-queue.ts";
import type { AnyShelf } from "../shelf.ts";
import type { Lending } from "../sql/set.ts";
import type { Host } from "./host.ts";
import type { SentLending } from "./serving.ts";

/**
 * The same shelf, whose operations run in a host. Definitions and schemas stay, so `perform` parses
 * inputs, limits the time and checks outputs as it does for any other shelf.
 */
export function hostedShelf(shelf: AnyShelf, host: Host): AnyShelf {
  const { lends } = shelf;
  if (shelf.resources || shelf.prompts || shelf.absorb || shelf.watch || shelf.tend) {
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
    ...(lends && {
      lends: {
        tables: lends.tables,
        async now(_state: unknown, { sql, call }) {
          const sent = (await host.request({ lends: true }, sql, call)) as SentLending;
          return receivedLending(sent);
        },
      } satisfies AnyShelf["lends"],
    }),
  };
}

/** The same shelf, whose heavy calls run in a host, one at a time; its clients take turns. */
export function withHeavyHost(shelf: AnyShelf, host: Host): AnyShelf {
  const queue = makeFairQueue({ lanes: 1, what: "heavy calls" });
  return {
    ...shelf,
    operations: shelf.operations.map((operation) => {
      const { name, effect, isHeavy } = operation;
      if (!isHeavy) return operation;
      if (effect !== "reads") throw new Error(`${name} does more than read.`);
      const runElsewhere: typeof operation.run = (input, _state, call) =>
        queue.run(
          call.peer,
          () => host.request({ operation: name }, input, call) as Promise<Record<string, unknown>>,
          call.signal,
        );
      return {
        ...operation,
        run: (input, state, call) =>
          (isHeavy(input, state) ? runElsewhere : operation.run)(input, state, call),
      };
    }),
  };
}

function receivedLending({ parts, ...lending }: SentLending): Lending {
  const read = [...parts].map(
    ([key, { version, rows }]) => [key, { version, rows: () => rows }] as const,
  );
  return { ...lending, parts: new Map(read) };
}
