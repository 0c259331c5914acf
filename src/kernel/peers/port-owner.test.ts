import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { portOwner } from "./port-owner.ts";

test("[core.loopback.port-owner] a port of our own process is distinguished from a free port", async () => {
  const isLinux = process.platform === "linux";
  for (const host of ["127.0.0.1", "::1", "::"]) {
    const server = createServer().listen(0, host);
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    expect([host, await portOwner(port)]).toEqual([host, isLinux ? "own" : "unknown"]);
    server.close();
    await once(server, "close");
    expect([host, await portOwner(port)]).toEqual([host, isLinux ? "nobody" : "unknown"]);
  }
});
