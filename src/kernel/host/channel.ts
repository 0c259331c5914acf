import type { MessagePort, Worker } from "node:worker_threads";

/**
 * A bidirectional message channel between a process and its host. The protocol does not depend on
 * the transport, so a host may be a child process or a worker thread.
 */
export interface Channel<Sent, Received> {
  send(message: Sent): void;
  /** Must be called once, before the first message can arrive. */
  listen(listener: (message: Received) => void): void;
}

/** A channel to a worker, or from a worker to its parent. */
export const toChannel = <Sent, Received>(port: MessagePort | Worker): Channel<Sent, Received> => ({
  send: (message) => port.postMessage(message),
  listen: (listener) => void (port as Worker).on("message", listener),
});
