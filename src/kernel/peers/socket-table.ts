import { readFile } from "node:fs/promises";
import { endianness } from "node:os";

/** One end of a connection as the kernel lists it. */
export interface SocketLine {
  /** The owner's user id, as this process's user namespace shows it. */
  readonly uid: number;
  /** Hexadecimal, as in `include/net/tcp_states.h`: `01` is ESTABLISHED, `0A` LISTEN. */
  readonly state: string;
  /** 0 where no process holds the socket any more; its `uid` is then 0 too, and means nothing. */
  readonly inode: number;
}

interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** The TCP sockets of this network namespace at one moment. */
interface SocketTable {
  /** The sockets whose own end is `local` and whose far end is `remote`. */
  find(local: Endpoint, remote: Endpoint): SocketLine[];
  /** The sockets that accept connections on a port. */
  listeners(port: number): SocketLine[];
}

/** IPv4 and IPv6 sockets are listed in two files. An IPv4 client may use an IPv6 socket. */
export type Family = "tcp" | "tcp6";

export interface SocketTables {
  /** Resolves with a table whose reading began after this call; undefined where there is none. */
  fresh(family: Family): Promise<SocketTable | undefined>;
}

/**
 * Reads the kernel's tables, neither of them twice at a time: a reading takes milliseconds of the
 * kernel's time. Callers that arrive while a table is being read share the next one, so a burst of
 * connections costs two readings, and nobody is answered from a table older than the question.
 */
export function openSocketTables(
  read: (family: Family) => Promise<string | undefined> = readTable,
): SocketTables {
  const turns = { tcp: makeTurns(() => read("tcp")), tcp6: makeTurns(() => read("tcp6")) };
  return { fresh: (family) => turns[family]() };
}

function makeTurns(read: () => Promise<string | undefined>) {
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

const readTable = (family: Family): Promise<string | undefined> =>
  readFile(`/proc/net/${family}`, "latin1").catch(() => undefined);

/**
 * ```
 *   sl  local_address rem_address   st tx_queue:rx_queue tr:tm->when retrnsmt  uid timeout inode
 *    0: 0100007F:494D 0100007F:D2F0 01 00000000:00000000 00:00000000 00000000 1000       0 36023
 * ```
 */
function parseTable(text: string): SocketTable {
  const lineOf = (at: number): SocketLine => {
    const start = text.lastIndexOf("\n", at) + 1;
    const end = text.indexOf("\n", at);
    const fields = text
      .slice(start, end < 0 ? undefined : end)
      .trim()
      .split(/\s+/);
    return { state: fields[3] ?? "", uid: Number(fields[7]), inode: Number(fields[9]) };
  };
  const matches = (words: string): SocketLine[] => {
    const found: SocketLine[] = [];
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
      found.push(lineOf(at));
    }
    return found;
  };
  return {
    find: (local, remote) =>
      writtenForms(local.address).flatMap((own, at) => {
        const far = writtenForms(remote.address)[at];
        if (far === undefined) return [];
        return matches(` ${own}:${hex(local.port)} ${far}:${hex(remote.port)} `);
      }),
    listeners: (port) => matches(`:${hex(port)} 0`).filter(({ state }) => state === "0A"),
  };
}

const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0");

/** An address as the two files write it; an IPv4 address has a form in each. */
function writtenForms(address: string): string[] {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (v4 !== undefined) {
    const word = writtenWord(v4.split(".").map(Number));
    return [word, writtenWords([...new Array<number>(10).fill(0), 0xff, 0xff]) + word];
  }
  const bytes = bytesOfIpv6(address);
  return bytes ? [writtenWords(bytes)] : [];
}

/** The kernel prints each four bytes as one number of the machine. */
const writtenWord = (bytes: readonly number[]): string =>
  Buffer.from(endianness() === "LE" ? bytes.toReversed() : bytes)
    .toString("hex")
    .toUpperCase();

function writtenWords(bytes: readonly number[]): string {
  let words = "";
  for (let at = 0; at < bytes.length; at += 4) words += writtenWord(bytes.slice(at, at + 4));
  return words;
}

/** `::1` and its like, without a zone; Node writes addresses of sockets in this form. */
function bytesOfIpv6(address: string): number[] | undefined {
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
