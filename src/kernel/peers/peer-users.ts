import { createServer, connect as dial, isIPv6, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { readTextIfPresent } from "../files/atomic-file.ts";
import {
  type AddressFamily,
  openSocketTables,
  type SocketEntry,
  type SocketTables,
} from "./socket-tables.ts";

/** Identifies the user whose process is the peer of a TCP connection on this machine. */
export interface PeerIdentifier {
  /** The user id; undefined if it is not certain. */
  uidOf(socket: Socket): Promise<number | undefined>;
}

/**
 * States in which a peer can still receive a reply: ESTABLISHED, and FIN_WAIT1 and FIN_WAIT2 of a
 * peer that has closed its sending side, as `echo … | nc -N` does.
 */
const openStates = ["01", "04", "05"];

/**
 * The kernel produces a table in pages of 4 KB and finds the next page by counting entries. While
 * other sockets open and close, entries can be missing or duplicated, so an ambiguous read is
 * repeated after each of these delays, in milliseconds.
 */
const retryDelaysMs = [0, 5, 10, 20, 40, 60, 80, 100];

export function openPeerIdentifier(tables: SocketTables = openSocketTables()): PeerIdentifier {
  const unmapped = overflowUid();
  return {
    async uidOf(socket) {
      const { remoteAddress, remotePort, localAddress, localPort } = socket;
      if (!remoteAddress || !remotePort || !localAddress || !localPort) return undefined;
      const peer = { address: remoteAddress, port: remotePort };
      const local = { address: localAddress, port: localPort };
      const families: readonly AddressFamily[] = isIPv6(
        remoteAddress.replace(/^::ffff:(?=\d+\.)/i, ""),
      )
        ? ["tcp6"]
        : ["tcp", "tcp6"];
      for (const delayMs of retryDelaysMs) {
        if (delayMs > 0) await sleep(delayMs);
        for (const family of families) {
          const table = await tables.readFresh(family);
          // A reset connection frees its port, so the entry may belong to another connection.
          if (!isConnected(socket)) return undefined;
          const owner = findOwner(table?.find(peer, local) ?? []);
          if (owner) return owner.uid === unmapped ? undefined : owner.uid;
        }
      }
      return undefined;
    },
  };
}

/**
 * The only socket in an open state; undefined if several match. Duplicate entries of one socket count
 * once. A former connection with the same ports, in TIME_WAIT, has no owner and is ignored.
 */
function findOwner(entries: readonly SocketEntry[]): SocketEntry | undefined {
  const [first, ...others] = entries.filter(
    ({ state, inode }) => inode > 0 && openStates.includes(state),
  );
  const isSingle = others.every(({ inode, uid }) => inode === first?.inode && uid === first.uid);
  return isSingle ? first : undefined;
}

/** Queries the system, because Node caches the peer's address. */
function isConnected(socket: Socket): boolean {
  const { _handle: handle } = socket as Socket & {
    _handle?: { getpeername?: (into: object) => number } | null;
  };
  return handle?.getpeername?.({}) === 0;
}

/**
 * In a user namespace, all unmapped users have this id, so it does not identify a user. Undefined in
 * a namespace that maps all users.
 */
function overflowUid(): number | undefined {
  const map = readIfReadable("/proc/self/uid_map")?.trim().split(/\s+/);
  if (map?.length === 3 && map[0] === "0" && map[2] === "4294967295") return undefined;
  return Number(readIfReadable("/proc/sys/kernel/overflowuid") ?? 65_534);
}

function readIfReadable(path: string): string | undefined {
  try {
    return readTextIfPresent(path);
  } catch {
    return undefined;
  }
}

/** Whether this platform can identify peers; tested with a connection to this process. */
export async function canIdentifyPeers(peers: PeerIdentifier): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const server = createServer();
  try {
    return await new Promise<boolean>((resolve, reject) => {
      server.once("error", reject);
      server.once("connection", (socket) => {
        socket.on("error", () => {});
        peers.uidOf(socket).then((uid) => {
          resolve(uid === process.geteuid?.());
          socket.destroy();
        }, reject);
      });
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        if (!address || typeof address === "string") return resolve(false);
        const client = dial(address.port, "127.0.0.1");
        client.on("error", () => resolve(false));
        client.once("close", () => resolve(false));
      });
    });
  } catch {
    return false;
  } finally {
    server.close();
  }
}
