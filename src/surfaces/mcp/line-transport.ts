import type { Readable, Writable } from "node:stream";
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  RequestId,
  Transport,
} from "@modelcontextprotocol/server";
import { type Inbound, inboundMessage } from "./inbound-message.ts";
import { lineReader, type Reading } from "./line-reader.ts";
import { openRequests } from "./open-requests.ts";

export interface LineTransportOptions {
  input: Readable;
  output: Writable;
  /** The most bytes a message that comes in may have. */
  limit?: number | undefined;
  /** How long requests may run on, and their answers be read, once no more can come. */
  drainMs?: number | undefined;
  /** Leaves `id` out of an answer to something unreadable, where JSON-RPC wants `null`. */
  strictIds?: boolean | undefined;
  /** Sees each message as it is on the wire. */
  trace?: ((direction: "in" | "out", line: string) => void) | undefined;
  /** Has the last word on a message that goes out. */
  outgoing?: ((message: JSONRPCMessage) => JSONRPCMessage) | undefined;
  /** Called once when the connection is about to end in good order; the transport waits a little. */
  farewell?: (() => Promise<void>) | undefined;
}

const defaultLimit = 64 * 1024 * 1024;

/** The time limit of a call and a little more; who sets that limit sets this one too. */
const defaultDrainMs = 35_000;

/** How many requests of one client run at once; the next wait their turn. */
const mostOpen = 64;

/** How many bytes of answers may wait to be read before the client itself has to wait. */
const mostUnread = 8 * 1024 * 1024;

/** How long a farewell and the last bytes may take where the other side does not read. */
const graceMs = 1_000;

/**
 * MCP as JSON-RPC messages on lines, over any pair of streams. It answers what the SDK would drop,
 * and it ends in good order: at the end of input, or when asked to by `shutdown`, requests that are
 * open are answered first.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves when the connection has ended, for whatever reason. */
  readonly closed: Promise<void>;

  readonly #options: LineTransportOptions;
  readonly #limit: number;
  readonly #open = openRequests();
  readonly #reader;
  #state: "serving" | "draining" | "leaving" | "closed" = "serving";
  #drainTimer: NodeJS.Timeout | undefined;
  /** Lines that were handed to the output and have not left it yet. */
  #underway = 0;
  #drained: Promise<void> | undefined;
  /** Requests that came while too many were open, or too much was unread. */
  #waiting: JSONRPCRequest[] = [];
  #resolveClosed: () => void = () => {};

  constructor(options: LineTransportOptions) {
    this.#options = options;
    this.#limit = options.limit ?? defaultLimit;
    this.#reader = lineReader({ limit: this.#limit, read: (reading) => this.#read(reading) });
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  async start(): Promise<void> {
    const { input, output } = this.#options;
    input.on("data", this.#onData);
    input.on("error", this.#onBrokenInput);
    input.once("end", this.#onEnd);
    input.once("close", this.#onEnd);
    output.on("error", this.#onBrokenOutput);
    output.once("close", this.#onBrokenOutput);
    if (input.readableEnded || input.destroyed) setImmediate(this.#onEnd);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#state === "closed") throw new Error("The connection is closed.");
    const written = this.#write(this.#lineOf(message));
    this.#open.went(message);
    await written;
  }

  /** Ends the connection in good order, without waiting for requests that are open. */
  async leave(): Promise<void> {
    if (this.#state === "leaving" || this.#state === "closed") return;
    this.#state = "leaving";
    await withinGrace(this.#options.farewell?.());
    await this.close();
  }

  async close(): Promise<void> {
    if (this.#state === "closed") return this.closed;
    this.#state = "closed";
    clearTimeout(this.#drainTimer);
    this.#reader.close();
    const { input, output } = this.#options;
    input.off("data", this.#onData).pause();
    if (!output.destroyed) {
      await withinGrace(new Promise<void>((resolve) => output.end(() => resolve())));
    }
    input.destroy();
    output.destroy();
    this.#resolveClosed();
    this.onclose?.();
  }

  readonly #onData = (chunk: Buffer): void => this.#reader.push(chunk);

  readonly #onEnd = (): void => {
    if (this.#state === "closed") return;
    this.#reader.end();
    this.#drain();
  };

  readonly #onBrokenInput = (error: Error): void => {
    if (!isGone(error)) this.#report(error);
  };

  /** Nobody reads any more, so there is nothing left to say. */
  readonly #onBrokenOutput = (error?: Error): void => {
    if (this.#state === "closed") return;
    if (error && !isGone(error)) this.#report(error);
    void this.close();
  };

  #read(reading: Reading): void {
    if (reading.kind === "too-long") {
      this.#options.trace?.("in", `(a line of more than ${this.#limit} bytes)`);
      this.#refuse(null, -32600, `Invalid Request: a message has at most ${this.#limit} bytes`);
      return;
    }
    this.#options.trace?.("in", reading.text);
    if (reading.kind === "unparseable") this.#refuse(null, -32700, "Parse error");
    else this.#receive(inboundMessage(reading.value));
  }

  #receive(inbound: Inbound): void {
    switch (inbound.kind) {
      case "refuse":
        this.#refuse(inbound.id, inbound.code, inbound.message);
        return;
      case "drop":
        this.#report(new Error(inbound.why));
        return;
      case "shutdown":
        this.#acknowledge(inbound.id);
        this.#drain();
        return;
      case "deliver":
        this.#deliver(inbound.message);
        if (inbound.acknowledge !== undefined) this.#acknowledge(inbound.acknowledge);
    }
  }

  #deliver(message: JSONRPCMessage): void {
    // While the last calls finish, answers and cancellations still come through.
    if (!("method" in message && "id" in message)) {
      if ("method" in message && message.method === "notifications/cancelled") {
        this.#waiting = this.#waiting.filter(({ id }) => id !== message.params?.requestId);
      }
      this.#admit(message);
    } else if (this.#state !== "serving") {
      this.#refuse(message.id, -32600, "Invalid Request: the server is shutting down");
    } else if (this.#waiting.length > 0 || this.#isFull()) {
      this.#waiting.push(message);
      this.#options.input.pause();
    } else this.#admit(message);
  }

  #admit(message: JSONRPCMessage): void {
    this.#open.came(message);
    this.onmessage?.(message);
  }

  /** A client that asks faster than it reads would otherwise fill our memory with its answers. */
  #isFull(): boolean {
    return this.#open.size >= mostOpen || this.#hasUnread();
  }

  #hasUnread(): boolean {
    return this.#options.output.writableLength >= Math.min(mostUnread, this.#limit);
  }

  #goOn(): void {
    if (this.#waiting.length === 0) return;
    while (!this.#isFull()) {
      const next = this.#waiting.shift();
      if (!next) break;
      this.#admit(next);
    }
    if (this.#waiting.length === 0 && this.#state === "serving") this.#options.input.resume();
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    const told = id === null && this.#options.strictIds ? {} : { id };
    void this.#write(JSON.stringify({ jsonrpc: "2.0", ...told, error: { code, message } }));
  }

  #acknowledge(id: RequestId): void {
    void this.#write(JSON.stringify({ jsonrpc: "2.0", id, result: {} }));
  }

  #lineOf(message: JSONRPCMessage): string {
    try {
      return JSON.stringify(this.#options.outgoing?.(message) ?? message);
    } catch (error) {
      if ("method" in message) throw error;
      // Too deep or too long to be written; whoever asked must still hear of it.
      this.#report(error instanceof Error ? error : new Error(String(error)));
      const failure = { code: -32603, message: "Internal error: the answer cannot be written" };
      return JSON.stringify({ jsonrpc: "2.0", id: message.id, error: failure });
    }
  }

  /** Resolves when there is room for more. */
  #write(line: string): Promise<void> {
    const { input, output, trace } = this.#options;
    trace?.("out", line);
    this.#underway += 1;
    const hasRoom = output.write(`${line}\n`, () => {
      this.#underway -= 1;
      this.#goOn();
      this.#leaveWhenAnswered();
    });
    if (hasRoom) return Promise.resolve();
    if (this.#hasUnread()) input.pause();
    this.#drained ??= new Promise((resolve) => {
      const go = (): void => {
        output.off("drain", go).off("close", go);
        this.#drained = undefined;
        if (this.#state === "serving" && this.#waiting.length === 0) input.resume();
        resolve();
      };
      output.once("drain", go).once("close", go);
    });
    return this.#drained;
  }

  #drain(): void {
    if (this.#state !== "serving") return;
    this.#state = "draining";
    this.#drainTimer = setTimeout(() => void this.leave(), this.#options.drainMs ?? defaultDrainMs);
    this.#leaveWhenAnswered();
  }

  #leaveWhenAnswered(): void {
    const isDone = this.#open.size + this.#waiting.length + this.#underway === 0;
    if (this.#state === "draining" && isDone) void this.leave();
  }

  #report(error: Error): void {
    this.onerror?.(error);
  }
}

async function withinGrace(work: Promise<void> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const cut = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs);
  });
  await Promise.race([work, cut]).finally(() => clearTimeout(timer));
}

/** The other side has gone away: an everyday end, and nothing to report. */
const isGone = (error: NodeJS.ErrnoException): boolean =>
  ["EPIPE", "ECONNRESET", "ERR_STREAM_DESTROYED", "ERR_STREAM_WRITE_AFTER_END"].includes(
    error.code ?? "",
  );
