import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Limits the number of connections. At the limit, the least recently used connection that is idle
 * or has not sent its complete request is closed. So connections that are opened and left idle
 * (Slowloris) do not lock out other clients, and a request in progress is never cut off.
 */
export function limitConnections(server: Server, maxConnections: number): void {
  /** Open connections and their current requests, in least-recently-used order. */
  const open = new Map<Socket, IncomingMessage | undefined>();
  const touch = (socket: Socket, request?: IncomingMessage): void => {
    if (!open.delete(socket)) return;
    open.set(socket, request);
  };
  server.on("connection", (socket: Socket) => {
    open.set(socket, undefined);
    socket.once("close", () => open.delete(socket));
    if (open.size <= maxConnections) return;
    const idle = [...open].find(([, request]) => request?.complete !== true);
    const evicted = idle?.[0] ?? socket;
    open.delete(evicted);
    evicted.destroy();
  });
  server.on("request", (request, response) => {
    touch(request.socket, request);
    response.once("close", () => touch(request.socket));
  });
}
