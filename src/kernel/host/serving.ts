import type { FileBatch, TakeFiles } from "../batch.ts";
import { type Call, makeCall } from "../call.ts";
import { type Log, type LogLevel, logLevels } from "../log.ts";
import type { AnyShelf } from "../shelf.ts";
import type { Lending, SqlRow } from "../sql/set.ts";
import type { Channel } from "./channel.ts";
import {
  type CallFacts,
  type FromHost,
  packError,
  type Target,
  type ToHost,
  unpackError,
} from "./message.ts";

export type HostChannel = Channel<FromHost, ToHost>;

interface Served {
  shelf: AnyShelf;
  state: () => unknown;
  takeFiles: TakeFiles;
}

/**
 * Works for another process: runs the operations of one shelf that it asks for. Schemas and time
 * limits are the asking side's; what is received here has been parsed.
 */
export function serveShelf(channel: HostChannel, { shelf, state, takeFiles }: Served): void {
  const running = new Map<number, AbortController>();
  const operations = new Map(shelf.operations.map((operation) => [operation.name, operation]));
  const kept = (): unknown => shelf.isolation?.keep(state());
  let restored: Promise<void> | undefined;

  async function run(target: Target, input: unknown, call: Call): Promise<unknown> {
    await restored;
    if ("lends" in target) {
      const lending = await shelf.lends?.now(state(), { sql: String(input), call });
      return lending && wholeLending(lending);
    }
    if ("intake" in target) return takeFiles(input as FileBatch, { signal: call.signal });
    const operation = operations.get(target.operation);
    if (!operation) throw new Error(`The shelf ${shelf.name} has no ${target.operation}.`);
    return operation.run(input, state(), call);
  }

  async function answer(message: ToHost & { kind: "request" }): Promise<void> {
    const { id, target, input } = message;
    const controller = new AbortController();
    running.set(id, controller);
    channel.send({ kind: "begun", id });
    try {
      const call = callFrom(message.call, id, controller.signal);
      const value = await run(target, input, call);
      channel.send({ kind: "answer", id, value, kept: kept() });
    } catch (error) {
      channel.send({ kind: "error", id, error: packError(error), kept: kept() });
    } finally {
      running.delete(id);
    }
  }

  function callFrom({ canAsk, ...facts }: CallFacts, id: number, signal: AbortSignal): Call {
    const { actor, memory, answers } = facts;
    const made = makeCall({
      actor,
      signal,
      memory,
      ...(answers && { answers }),
      canAsk: (kind) => canAsk.includes(kind),
      onProgress: (...progress) => channel.send({ kind: "progress", id, progress }),
      onNotice: (notice) => channel.send({ kind: "notice", id, notice }),
      onLog: (level, text) => channel.send({ kind: "call-log", id, level, message: text }),
    });
    return { ...made, ...facts };
  }

  channel.listen((message) => {
    if (message.kind === "ping") channel.send({ kind: "pong" });
    else if (message.kind === "abort") running.get(message.id)?.abort(unpackError(message.reason));
    else if (message.kind === "request") void answer(message);
    else restored = restore(message);
  });

  async function restore({ kept, wasFatal }: ToHost & { kind: "restore" }): Promise<void> {
    try {
      await shelf.isolation?.restore(state(), kept, { wasFatal });
    } catch (error) {
      const facts = { cause: packError(error) };
      channel.send({ kind: "log", level: "warn", message: "the state is not restored", facts });
    }
    channel.send({ kind: "restored" });
  }
}

/** Rows are asked for later, which no message can carry, so they are read now. */
function wholeLending({ parts, ...lending }: Lending): SentLending {
  const read = [...(parts ?? [])].map(
    ([key, { version, rows }]) => [key, { version, rows: rows() }] as const,
  );
  return { ...lending, parts: new Map(read) };
}

/** What is lent, with its rows in place of the functions that would give them. */
export interface SentLending extends Omit<Lending, "parts"> {
  parts: Map<string, { version: string | number; rows: Record<string, SqlRow[]> }>;
}

/** The log of a host goes to the process that it works for. */
export function logOver(channel: HostChannel, level: LogLevel): Log {
  const least = logLevels.indexOf(level);
  const log = (at: LogLevel, message: string, facts: Record<string, unknown> = {}): void => {
    if (logLevels.indexOf(at) < least) return;
    const plain = Object.entries(facts).map(([key, value]) => [key, asData(value)]);
    channel.send({ kind: "log", level: at, message, facts: Object.fromEntries(plain) });
  };
  return Object.assign(log, { trace: () => undefined });
}

const asData = (value: unknown): unknown =>
  value instanceof Error ? (value.stack ?? value.message) : value;
