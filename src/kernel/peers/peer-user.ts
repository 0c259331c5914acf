import { createServer, connect as dial, isIPv6, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { contentOf } from "../kept-file.ts";
import {
  type Family,
  openSocketTables,
  type SocketLine,
  type SocketTables,
} from "./socket-table.ts";

/** Tells which user's process is at the other end of a TCP connection on this machine. */
export interface PeerUsers {
  /** The user id; undefined where it cannot be told for certain. */
  uidOf(socket: Socket): Promise<number | undefined>;
}

/**
 * States of a peer that can still be answered: ESTABLISHED, and FIN_WAIT1 and FIN_WAIT2 of a peer
 * that has sent all it wanted to, as `echo … | nc -N` does.
 */
const heldStates = ["01", "04", "05"];

/**
 * The kernel produces a table in pieces of 4 KB and finds its place again by counting. While other
 * sockets come and go, a line can be left out or listed twice, so a reading without a clear answer
 * is repeated after each of these pauses, in milliseconds.
 */
const retryPauses = [0, 5, 10, 20, 40, 60, 80, 100];

export function openPeerUsers(tables: SocketTables = openSocketTables()): PeerUsers {
  const unmapped = unmappedUid();
  return {
    async uidOf(socket) {
      const { remoteAddress, remotePort, localAddress, localPort } = socket;
      if (!remoteAddress || !remotePort || !localAddress || !localPort) return undefined;
      const peer = { address: remoteAddress, port: remotePort };
      const own = { address: localAddress, port: localPort };
      const families: readonly Family[] = isIPv6(remoteAddress.replace(/^::ffff:(?=\d+\.)/i, ""))
        ? ["tcp6"]
        : ["tcp", "tcp6"];
      for (const pause of retryPauses) {
        if (pause > 0) await sleep(pause);
        for (const family of families) {
          const table = await tables.fresh(family);
          // A connection that was reset frees its port: the line might be another connection's.
          if (!isConnected(socket)) return undefined;
          const holder = onlyHolder(table?.find(peer, own) ?? []);
          if (holder) return holder.uid === unmapped ? undefined : holder.uid;
        }
      }
      return undefined;
    },
  };
}

/**
 * The socket that a process holds. Lines of the same socket are one, and a former connection with
 * the same ports that lingers in TIME_WAIT has no holder. Two sockets leave open which one is meant.
 */
function onlyHolder(lines: readonly SocketLine[]): SocketLine | undefined {
  const [first, ...others] = lines.filter(
    ({ state, inode }) => inode > 0 && heldStates.includes(state),
  );
  const isOne = others.every(({ inode, uid }) => inode === first?.inode && uid === first.uid);
  return isOne ? first : undefined;
}

/** Asks the system, not Node's memory of it. */
function isConnected(socket: Socket): boolean {
  const { _handle: handle } = socket as Socket & {
    _handle?: { getpeername?: (into: object) => number } | null;
  };
  return handle?.getpeername?.({}) === 0;
}

/**
 * In a user namespace every user outside it shows as this one, which is then nobody in particular.
 * Undefined in a namespace that maps all users, where each number means one user.
 */
function unmappedUid(): number | undefined {
  const map = contentIfReadable("/proc/self/uid_map")?.trim().split(/\s+/);
  if (map?.length === 3 && map[0] === "0" && map[2] === "4294967295") return undefined;
  return Number(contentIfReadable("/proc/sys/kernel/overflowuid") ?? 65_534);
}

function contentIfReadable(path: string): string | undefined {
  try {
    return contentOf(path);
  } catch {
    return undefined;
  }
}

/** Whether this platform can tell who connects: tried out with a connection to ourselves. */
export async function canIdentify(peers: PeerUsers): Promise<boolean> {
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
