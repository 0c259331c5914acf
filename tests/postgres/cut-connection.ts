import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A port that forwards to a server until it is told to hang or to cut. */
export interface Forwarder {
  readonly port: number;
  /** Nothing is forwarded any more, and nothing is closed: as if the cable were cut. */
  hang(): void;
  resume(): void;
  /** Closes all connections. */
  cut(): void;
}

export async function forwardTo(port: number): Promise<Forwarder> {
  const sockets = new Set<Socket>();
  let isHanging = false;
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (data) => isHanging || to.write(data));
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on("error", () => from.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    server.close();
    cut();
  });
  return {
    port: (server.address() as AddressInfo).port,
    hang: () => {
      isHanging = true;
    },
    resume: () => {
      isHanging = false;
    },
    cut,
  };
}
