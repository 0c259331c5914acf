import type { Readable, Writable } from "node:stream";
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  RequestId,
  Transport,
} from "@modelcontextprotocol/server";
import { type InboundMessage, parseInboundMessage } from "./inbound-message.ts";
import { createLineReader, type LineResult } from "./line-reader.ts";
import { trackOpenRequests } from "./open-requests.ts";

export interface LineTransportOptions {
  input: Readable;
  output: Writable;
  /** Maximum size of an incoming message in bytes. */
  limit?: number | undefined;
  /** How long open requests may take after the end of input. */
  drainMs?: number | undefined;
  /** Omits `id` in the error for an unreadable message, for which JSON-RPC requires `null`. */
  strictIds?: boolean | undefined;
  /** Called with each line that is received or sent. */
  trace?: ((direction: "in" | "out", line: string) => void) | undefined;
  /** Changes an outgoing message before it is written. */
  transformOutgoing?: ((message: JSONRPCMessage) => JSONRPCMessage) | undefined;
  /** Called once before a graceful close, which waits for it up to `graceMs`. */
  beforeClose?: (() => Promise<void>) | undefined;
}

const defaultLimit = 64 * 1024 * 1024;

/** Slightly more than the default time limit of a call; set both together. */
const defaultDrainMs = 35_000;

/** Maximum number of concurrent requests of a client; further ones are queued. */
const maxOpenRequests = 64;

/** Reading pauses while more than this many bytes of output are unread (backpressure). */
const maxUnreadBytes = 8 * 1024 * 1024;

/** How long closing may take if the client does not read. */
const graceMs = 1_000;

/**
 * MCP as JSON-RPC messages, one per line, over a pair of streams. It answers invalid messages, which
 * the SDK would drop. At the end of input, or after `shutdown`, open requests are answered before
 * the connection is closed.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;

  readonly #options: LineTransportOptions;
  readonly #limit: number;
  readonly #open = trackOpenRequests();
  readonly #reader;
  #state: "serving" | "draining" | "closing" | "closed" = "serving";
  #drainTimer: NodeJS.Timeout | undefined;
  /** The number of lines written to the output but not flushed yet. */
  #unflushed = 0;
  #drained: Promise<void> | undefined;
  /** Requests queued because too many were open or too much output was unread. */
  #queued: JSONRPCRequest[] = [];
  #resolveClosed: () => void = () => {};

  constructor(options: LineTransportOptions) {
    this.#options = options;
    this.#limit = options.limit ?? defaultLimit;
    this.#reader = createLineReader({
      limit: this.#limit,
      onLine: (result) => this.#receiveLine(result),
    });
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  async start(): Promise<void> {
    const { input, output } = this.#options;
    input.on("data", this.#onData);
    input.on("error", this.#onInputError);
    input.once("end", this.#onEnd);
    input.once("close", this.#onEnd);
    output.on("error", this.#onOutputEnd);
    output.once("close", this.#onOutputEnd);
    if (input.readableEnded || input.destroyed) setImmediate(this.#onEnd);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#state === "closed") throw new Error("The connection is closed.");
    const written = this.#write(this.#lineOf(message));
    this.#open.onSent(message);
    await written;
  }

  /** Closes the connection gracefully, without waiting for open requests. */
  async closeGracefully(): Promise<void> {
    if (this.#state === "closing" || this.#state === "closed") return;
    this.#state = "closing";
    await withGracePeriod(this.#options.beforeClose?.());
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
      await withGracePeriod(new Promise<void>((resolve) => output.end(() => resolve())));
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

  readonly #onInputError = (error: Error): void => {
    if (!isDisconnect(error)) this.#report(error);
  };

  /** The client no longer reads, so the connection ends. */
  readonly #onOutputEnd = (error?: Error): void => {
    if (this.#state === "closed") return;
    if (error && !isDisconnect(error)) this.#report(error);
    void this.close();
  };

  #receiveLine(result: LineResult): void {
    if (result.kind === "too-long") {
      this.#options.trace?.("in", `(a line of more than ${this.#limit} bytes)`);
      this.#refuse(
        null,
        -32600,
        `Invalid Request: the message is longer than ${this.#limit} bytes`,
      );
      return;
    }
    this.#options.trace?.("in", result.text);
    if (result.kind === "unparseable") this.#refuse(null, -32700, "Parse error");
    else this.#receive(parseInboundMessage(result.value));
  }

  #receive(inbound: InboundMessage): void {
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
    // While draining, responses and notifications are still accepted.
    if (!("method" in message && "id" in message)) {
      if ("method" in message && message.method === "notifications/cancelled") {
        this.#queued = this.#queued.filter(({ id }) => id !== message.params?.requestId);
      }
      this.#admit(message);
    } else if (this.#state !== "serving") {
      this.#refuse(message.id, -32600, "Invalid Request: the server is shutting down");
    } else if (this.#queued.length > 0 || this.#isFull()) {
      this.#queued.push(message);
      this.#options.input.pause();
    } else this.#admit(message);
  }

  #admit(message: JSONRPCMessage): void {
    this.#open.onReceived(message);
    this.onmessage?.(message);
  }

  /** Bounds the memory for a client that sends requests faster than it reads responses. */
  #isFull(): boolean {
    return this.#open.size >= maxOpenRequests || this.#hasUnread();
  }

  #hasUnread(): boolean {
    return this.#options.output.writableLength >= Math.min(maxUnreadBytes, this.#limit);
  }

  #admitQueued(): void {
    if (this.#queued.length === 0) return;
    while (!this.#isFull()) {
      const next = this.#queued.shift();
      if (!next) break;
      this.#admit(next);
    }
    if (this.#queued.length === 0 && this.#state === "serving") this.#options.input.resume();
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    const idMember = id === null && this.#options.strictIds ? {} : { id };
    void this.#write(JSON.stringify({ jsonrpc: "2.0", ...idMember, error: { code, message } }));
  }

  #acknowledge(id: RequestId): void {
    void this.#write(JSON.stringify({ jsonrpc: "2.0", id, result: {} }));
  }

  #lineOf(message: JSONRPCMessage): string {
    try {
      return JSON.stringify(this.#options.transformOutgoing?.(message) ?? message);
    } catch (error) {
      if ("method" in message) throw error;
      // Too deep or too long to serialize; the client still needs a response.
      this.#report(error instanceof Error ? error : new Error(String(error)));
      const failure = { code: -32603, message: "Internal error: the result cannot be serialized" };
      return JSON.stringify({ jsonrpc: "2.0", id: message.id, error: failure });
    }
  }

  /** Writes a line. Resolves when the output accepts more. */
  #write(line: string): Promise<void> {
    const { input, output, trace } = this.#options;
    trace?.("out", line);
    this.#unflushed += 1;
    const hasRoom = output.write(`${line}\n`, () => {
      this.#unflushed -= 1;
      this.#admitQueued();
      this.#closeWhenDone();
    });
    if (hasRoom) return Promise.resolve();
    if (this.#hasUnread()) input.pause();
    this.#drained ??= new Promise((resolve) => {
      const onDrain = (): void => {
        output.off("drain", onDrain).off("close", onDrain);
        this.#drained = undefined;
        if (this.#state === "serving" && this.#queued.length === 0) input.resume();
        resolve();
      };
      output.once("drain", onDrain).once("close", onDrain);
    });
    return this.#drained;
  }

  #drain(): void {
    if (this.#state !== "serving") return;
    this.#state = "draining";
    this.#drainTimer = setTimeout(
      () => void this.closeGracefully(),
      this.#options.drainMs ?? defaultDrainMs,
    );
    this.#closeWhenDone();
  }

  #closeWhenDone(): void {
    const isDone = this.#open.size + this.#queued.length + this.#unflushed === 0;
    if (this.#state === "draining" && isDone) void this.closeGracefully();
  }

  #report(error: Error): void {
    this.onerror?.(error);
  }
}

async function withGracePeriod(work: Promise<void> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs);
  });
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** The client has disconnected, which is a normal end. */
const isDisconnect = (error: NodeJS.ErrnoException): boolean =>
  ["EPIPE", "ECONNRESET", "ERR_STREAM_DESTROYED", "ERR_STREAM_WRITE_AFTER_END"].includes(
    error.code ?? "",
  );
