import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Bounds the connections of a server. When there is no room, the one that has waited longest gives
 * way: one that says nothing, or has not said its request to the end. So nobody who opens connections
 * and leaves them keeps others out; what is being answered is never cut off.
 */
export function keepRoom(server: Server, most: number): void {
  /** Each open connection with the request that it is about; the one used last stands last. */
  const open = new Map<Socket, IncomingMessage | undefined>();
  const put = (socket: Socket, request?: IncomingMessage): void => {
    if (!open.delete(socket)) return;
    open.set(socket, request);
  };
  server.on("connection", (socket: Socket) => {
    open.set(socket, undefined);
    socket.once("close", () => open.delete(socket));
    if (open.size <= most) return;
    const idle = [...open].find(([, request]) => request?.complete !== true);
    const leaving = idle?.[0] ?? socket;
    open.delete(leaving);
    leaving.destroy();
  });
  server.on("request", (request, response) => {
    put(request.socket, request);
    response.once("close", () => put(request.socket));
  });
}
