import { readFile } from "node:fs/promises";
import { endianness } from "node:os";

/** An entry of the kernel's socket table. */
export interface SocketEntry {
  /** The owner's user id in this process's user namespace. */
  readonly uid: number;
  /** Hexadecimal, as in `include/net/tcp_states.h`: `01` is ESTABLISHED, `0A` LISTEN. */
  readonly state: string;
  /** 0 if no process owns the socket any more; `uid` is then 0, too. */
  readonly inode: number;
}

interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** The TCP sockets of this network namespace at one moment. */
interface SocketTable {
  /** The sockets with this local and remote endpoint. */
  find(local: Endpoint, remote: Endpoint): SocketEntry[];
  /** The listening sockets of a port. */
  listeners(port: number): SocketEntry[];
}

/** IPv4 and IPv6 sockets are listed in separate files. An IPv4 client may use an IPv6 socket. */
export type AddressFamily = "tcp" | "tcp6";

export interface SocketTables {
  /** Resolves with a table that was read after this call; undefined if there is none. */
  readFresh(family: AddressFamily): Promise<SocketTable | undefined>;
}

/**
 * Reads the kernel's tables with at most one concurrent read of each, since a read costs
 * milliseconds of kernel time. Calls during a read share the next one, so a burst of connections
 * causes two reads, and no caller gets a table that is older than its call.
 */
export function openSocketTables(
  read: (family: AddressFamily) => Promise<string | undefined> = readTable,
): SocketTables {
  const readers = {
    tcp: coalesceReads(() => read("tcp")),
    tcp6: coalesceReads(() => read("tcp6")),
  };
  return { readFresh: (family) => readers[family]() };
}

function coalesceReads(read: () => Promise<string | undefined>) {
  let current: Promise<SocketTable | undefined> | undefined;
  let next: Promise<SocketTable | undefined> | undefined;

  function start(): Promise<SocketTable | undefined> {
    const started = read().then((text) => (text === undefined ? undefined : parseTable(text)));
    current = started;
    return started.finally(() => {
      if (current === started) current = undefined;
    });
  }

  return (): Promise<SocketTable | undefined> => {
    if (!current) return start();
    next ??= current
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}

const readTable = (family: AddressFamily): Promise<string | undefined> =>
  readFile(`/proc/net/${family}`, "latin1").catch(() => undefined);

/**
 * ```
 *   sl  local_address rem_address   st tx_queue:rx_queue tr:tm->when retrnsmt  uid timeout inode
 *    0: 0100007F:494D 0100007F:D2F0 01 00000000:00000000 00:00000000 00000000 1000       0 36023
 * ```
 */
function parseTable(text: string): SocketTable {
  const entryAt = (offset: number): SocketEntry => {
    const start = text.lastIndexOf("\n", offset) + 1;
    const end = text.indexOf("\n", offset);
    const fields = text
      .slice(start, end < 0 ? undefined : end)
      .trim()
      .split(/\s+/);
    return { state: fields[3] ?? "", uid: Number(fields[7]), inode: Number(fields[9]) };
  };
  const findEntries = (substring: string): SocketEntry[] => {
    const entries: SocketEntry[] = [];
    let offset = text.indexOf(substring);
    for (; offset >= 0; offset = text.indexOf(substring, offset + 1)) {
      entries.push(entryAt(offset));
    }
    return entries;
  };
  return {
    find: (local, remote) =>
      procAddressForms(local.address).flatMap((localForm, form) => {
        const remoteForm = procAddressForms(remote.address)[form];
        if (remoteForm === undefined) return [];
        return findEntries(` ${localForm}:${hex(local.port)} ${remoteForm}:${hex(remote.port)} `);
      }),
    listeners: (port) => findEntries(`:${hex(port)} 0`).filter(({ state }) => state === "0A"),
  };
}

const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0");

/** An address in the format of the two files; an IPv4 address has one form in each. */
function procAddressForms(address: string): string[] {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (v4 !== undefined) {
    const word = procWord(v4.split(".").map(Number));
    return [word, procWords([...new Array<number>(10).fill(0), 0xff, 0xff]) + word];
  }
  const bytes = parseIpv6(address);
  return bytes ? [procWords(bytes)] : [];
}

/** The kernel prints each 4 bytes as one number in host byte order. */
const procWord = (bytes: readonly number[]): string =>
  Buffer.from(endianness() === "LE" ? bytes.toReversed() : bytes)
    .toString("hex")
    .toUpperCase();

function procWords(bytes: readonly number[]): string {
  let words = "";
  for (let at = 0; at < bytes.length; at += 4) words += procWord(bytes.slice(at, at + 4));
  return words;
}

/** The bytes of an IPv6 address without its zone, in the notation that Node uses. */
function parseIpv6(address: string): number[] | undefined {
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const groups = (part: string): number[] =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const [first, last] = [groups(head), tail === undefined ? [] : groups(tail)];
  const missing = 8 - first.length - last.length;
  if (tail === undefined ? missing !== 0 : missing < 0) return undefined;
  const all = [...first, ...new Array<number>(missing).fill(0), ...last];
  if (!all.every((group) => group >= 0 && group <= 0xffff)) return undefined;
  return all.flatMap((group) => [group >> 8, group & 0xff]);
}
