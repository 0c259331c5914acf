import { type AddressFamily, openSocketTables, type SocketTables } from "./socket-tables.ts";

/**
 * Whose processes listen on a port of this machine. `unknown`: the platform cannot tell. Another
 * user may have taken the port of a server, and would receive what is meant for it.
 */
export type PortOwner = "own" | "stranger" | "nobody" | "unknown";

export async function portOwner(
  port: number,
  tables: SocketTables = openSocketTables(),
): Promise<PortOwner> {
  if (process.platform !== "linux") return "unknown";
  // An IPv6 socket may receive IPv4 connections.
  const families: readonly AddressFamily[] = ["tcp", "tcp6"];
  const listeners = await Promise.all(
    families.map(async (family) => (await tables.readFresh(family))?.listeners(port) ?? []),
  );
  const uids = listeners.flat().map(({ uid }) => uid);
  if (uids.length === 0) return "nobody";
  return uids.every((uid) => uid === 0 || uid === process.geteuid?.()) ? "own" : "stranger";
}
