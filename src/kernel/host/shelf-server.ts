import { type Call, createCall } from "../call.ts";
import type { FileBatch, IndexFiles } from "../indexing/index-batches.ts";
import { type Log, type LogLevel, logLevels } from "../runtime/log.ts";
import type { AnyShelf } from "../shelf.ts";
import type { SqlRow, SqlTables } from "../sql/dataset.ts";
import type { Channel } from "./channel.ts";
import {
  deserializeError,
  type FromHost,
  type RequestTarget,
  type SerializedCall,
  serializeError,
  type ToHost,
} from "./messages.ts";

export type HostChannel = Channel<FromHost, ToHost>;

interface ServedShelf {
  shelf: AnyShelf;
  state: () => unknown | Promise<unknown>;
  indexFiles: IndexFiles;
}

/**
 * Serves another process: runs the operations of one shelf. The client side validates inputs and
 * enforces time limits.
 */
export function serveShelf(channel: HostChannel, { shelf, state, indexFiles }: ServedShelf): void {
  const running = new Map<number, AbortController>();
  const operations = new Map(shelf.operations.map((operation) => [operation.name, operation]));
  const saveState = async (): Promise<unknown> => shelf.isolation?.save(await state());
  let restored: Promise<void> | undefined;

  async function run(target: RequestTarget, input: unknown, call: Call): Promise<unknown> {
    await restored;
    if ("sqlTables" in target) {
      const tables = await shelf.sqlTables?.open(await state(), { sql: String(input), call });
      return tables && toSentTables(tables);
    }
    if ("indexing" in target) return indexFiles(input as FileBatch, { signal: call.signal });
    const operation = operations.get(target.operation);
    if (!operation) throw new Error(`The shelf ${shelf.name} has no ${target.operation}.`);
    return operation.run(input, await state(), call);
  }

  async function answer(message: ToHost & { kind: "request" }): Promise<void> {
    const { id, target, input } = message;
    const controller = new AbortController();
    running.set(id, controller);
    channel.send({ kind: "begun", id });
    try {
      const call = callFrom(message.call, id, controller.signal);
      const value = await run(target, input, call);
      channel.send({ kind: "answer", id, value, saved: await saveState() });
    } catch (error) {
      channel.send({ kind: "error", id, error: serializeError(error), saved: await saveState() });
    } finally {
      running.delete(id);
    }
  }

  function callFrom({ canAsk, ...facts }: SerializedCall, id: number, signal: AbortSignal): Call {
    const { actor, memory, answers } = facts;
    const created = createCall({
      actor,
      signal,
      memory,
      ...(answers && { answers }),
      canAsk: (kind) => canAsk.includes(kind),
      onProgress: (...progress) => channel.send({ kind: "progress", id, progress }),
      onNotice: (notice) => channel.send({ kind: "notice", id, notice }),
      onLog: (level, text) => channel.send({ kind: "call-log", id, level, message: text }),
    });
    return { ...created, ...facts };
  }

  channel.listen((message) => {
    if (message.kind === "ping") channel.send({ kind: "pong" });
    else if (message.kind === "abort")
      running.get(message.id)?.abort(deserializeError(message.reason));
    else if (message.kind === "request") void answer(message);
    else restored = restore(message);
  });

  async function restore({ saved, wasFatal }: ToHost & { kind: "restore" }): Promise<void> {
    try {
      await shelf.isolation?.restore(await state(), saved, { wasFatal });
    } catch (error) {
      const facts = { cause: serializeError(error) };
      channel.send({
        kind: "log",
        level: "warn",
        message: "the state could not be restored",
        facts,
      });
    }
    channel.send({ kind: "restored" });
  }
}

/** Functions cannot be sent in a message, so the rows are read now. */
function toSentTables({ parts, ...tables }: SqlTables): SentSqlTables {
  const partsWithRows = [...(parts ?? [])].map(
    ([key, { version, rows }]) => [key, { version, rows: rows() }] as const,
  );
  return { ...tables, parts: new Map(partsWithRows) };
}

/** SQL tables with rows in place of the functions that return them. */
export interface SentSqlTables extends Omit<SqlTables, "parts"> {
  parts: Map<string, { version: string | number; rows: Record<string, SqlRow[]> }>;
}

/** A log that sends its entries to the client process. */
export function logToChannel(channel: HostChannel, level: LogLevel): Log {
  const minLevel = logLevels.indexOf(level);
  const log = (
    entryLevel: LogLevel,
    message: string,
    facts: Record<string, unknown> = {},
  ): void => {
    if (logLevels.indexOf(entryLevel) < minLevel) return;
    const plain = Object.entries(facts).map(([key, value]) => [key, toPlainData(value)]);
    channel.send({ kind: "log", level: entryLevel, message, facts: Object.fromEntries(plain) });
  };
  return Object.assign(log, { trace: () => undefined });
}

const toPlainData = (value: unknown): unknown =>
  value instanceof Error ? (value.stack ?? value.message) : value;
