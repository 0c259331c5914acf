import type { MessagePort, Worker } from "node:worker_threads";

/**
 * A two-way stream of messages between a process and the host that works for it. The protocol knows
 * nothing else of the transport, so a host may be a child process or a worker thread.
 */
export interface Channel<Sent, Received> {
  send(message: Sent): void;
  /** Called once, before the first message can arrive. */
  listen(listener: (message: Received) => void): void;
}

/** To a worker, or from a worker to whoever started it. */
export const channelOver = <Sent, Received>(
  port: MessagePort | Worker,
): Channel<Sent, Received> => ({
  send: (message) => port.postMessage(message),
  listen: (listener) => void (port as Worker).on("message", listener),
});
