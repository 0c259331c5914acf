import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { otherUser } from "../../../tests/fixtures/other-user.ts";
import { openAdmission } from "./admission.ts";
import { canIdentifyPeers, openPeerIdentifier } from "./peer-users.ts";
import { openSocketTables } from "./socket-tables.ts";

async function listening(host = "127.0.0.1"): Promise<{ server: Server; port: number }> {
  const server = createServer({ allowHalfOpen: true }).listen(0, host);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { server, port: Object(server.address()).port };
}

/** A connection of this process, and the server's end of it. */
async function joined(host: string, to = host): Promise<{ client: Socket; accepted: Socket }> {
  const { server, port } = await listening(host);
  const client = connect({ port, host: to, allowHalfOpen: true });
  const [accepted] = await once(server, "connection");
  for (const socket of [client, accepted]) socket.on("error", () => {});
  onTestFinished(() => {
    client.destroy();
    accepted.destroy();
  });
  return { client, accepted };
}

/** A process of another user that connects and then runs `script` with `socket`. */
async function accepted(script: string, uid: number, host = "127.0.0.1"): Promise<Socket> {
  const { server, port } = await listening(host);
  const program = `const socket = require("node:net").connect(${port}, "${host}"); socket.on("error", () => {}); ${script}`;
  const child = spawn(process.execPath, ["-e", program], { uid, gid: uid, cwd: "/", env: {} });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [socket] = await once(server, "connection");
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

const own = process.geteuid?.();
const onLinux = process.platform === "linux";
const peers = openPeerIdentifier();

test.runIf(onLinux)(
  "[core.loopback.peer-user] the user of a connection is read from the system, over IPv4, IPv6 and mapped addresses",
  async () => {
    for (const [host, to] of [
      ["127.0.0.1", "127.0.0.1"],
      ["127.0.0.1", "::ffff:127.0.0.1"],
      ["::1", "::1"],
      ["::", "127.0.0.1"],
      ["::", "::1"],
    ] as const) {
      const { accepted: socket } = await joined(host, to);
      expect([host, to, await peers.uidOf(socket)]).toEqual([host, to, own]);
    }
    expect(await canIdentifyPeers(peers)).toBe(true);
  },
);

test.runIf(onLinux)(
  "[core.loopback.peer-user] a peer that has half-closed the connection is still identified",
  async () => {
    const { client, accepted: socket } = await joined("127.0.0.1");
    client.end("last words");
    socket.resume();
    await once(socket, "end");

    expect(await peers.uidOf(socket)).toBe(own);
  },
);

test.runIf(onLinux)(
  "[core.loopback.peer-user] a closed peer is unknown, whichever user it was",
  async () => {
    const { client, accepted: socket } = await joined("127.0.0.1");
    client.end("last words");
    client.destroy();
    await once(client, "close");
    expect(await peers.uidOf(socket)).toBeUndefined();

    const { client: second, accepted: reset } = await joined("127.0.0.1");
    second.resetAndDestroy();
    await once(second, "close");
    expect(await peers.uidOf(reset)).toBeUndefined();
  },
);

test.runIf(otherUser.skipReason === undefined)(
  "[core.loopback.peer-user] another user's process is distinguished from ours",
  async () => {
    for (const host of ["127.0.0.1", "::1"]) {
      const socket = await accepted("setTimeout(() => {}, 60_000)", otherUser.uid, host);
      expect(await peers.uidOf(socket)).toBe(otherUser.uid);
    }
    const gone = await accepted(
      'socket.on("connect", () => socket.end("x", () => process.exit()))',
      otherUser.uid,
    );
    gone.resume();
    await once(gone, "end");
    expect([otherUser.uid, undefined]).toContain(await peers.uidOf(gone));
  },
);

test.runIf(otherUser.skipReason === undefined)(
  "[core.loopback.allow-user] another user is a stranger unless --allow-user names them",
  async () => {
    const kindFor = async (allowUsers: string[]) => {
      const admission = await openAdmission({ allowUsers });
      expect(admission.rule).toBe("same-user");
      const socket = await accepted("setTimeout(() => {}, 60_000)", otherUser.uid);
      return (await admission.classify(socket)).kind;
    };
    expect(await kindFor([])).toBe("stranger");
    expect(await kindFor([String(otherUser.uid)])).toBe("allowed");
    expect(await kindFor(["root"])).toBe("stranger");
  },
);

test("[core.loopback.allow-user] a name without an account is refused", async () => {
  for (const name of ["no-such-account", "", "-u", "a;b", "root\nx"]) {
    await expect(openAdmission({ allowUsers: [name] })).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringContaining("--allow-user"),
    });
  }
});

test("[core.loopback.unidentified] if users cannot be identified, every caller is asked for a credential", async () => {
  const blind = openPeerIdentifier(openSocketTables(async () => undefined));
  const { accepted: socket } = await joined("127.0.0.1");
  const closed = await openAdmission({ peers: blind });
  const opened = await openAdmission({ peers: blind, openLoopback: true });

  expect([closed.rule, (await closed.classify(socket)).kind]).toEqual(["secret", "stranger"]);
  expect([opened.rule, (await opened.classify(socket)).kind]).toEqual(["open", "own"]);
});

const line = (rest: string) =>
  `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n${rest}\n`;

/** Looks up a connection in given socket tables, one per read; the last one repeats. */
async function fakeTables() {
  const { client, accepted: socket } = await joined("127.0.0.1");
  const hex = (port = 0) => port.toString(16).toUpperCase().padStart(4, "0");
  const ends = `0100007F:${hex(socket.remotePort)} 0100007F:${hex(socket.localPort)}`;
  const row = (state: string, uid: number, inode: number) =>
    `   0: ${ends} ${state} 00000000:00000000 00:00000000 00000000 ${uid} 0 ${inode} 1 0 20 4 30 10 -1`;
  const uidIn = (...readings: string[]) => {
    let reads = 0;
    const tables = openSocketTables(async (family) =>
      line(family === "tcp" ? (readings[Math.min(reads++, readings.length - 1)] ?? "") : ""),
    );
    return openPeerIdentifier(tables).uidOf(socket);
  };
  return { client, row, uidIn };
}

test("[core.loopback.peer-user] socket entries without an owner identify no user", async () => {
  const { row, uidIn } = await fakeTables();

  expect(await uidIn(row("01", 1234, 77))).toBe(1234);
  expect(await uidIn(row("05", 1234, 77))).toBe(1234);
  for (const lost of [
    row("06", 0, 0),
    row("01", 0, 0),
    row("07", 0, 77),
    row("0A", 0, 77),
    `${row("01", 0, 77)}\n${row("01", 1234, 78)}`,
    `${row("01", 1234, 77)}\n${row("01", 0, 77)}`,
    `${row("06", 0, 0)}\n${row("06", 0, 0)}`,
    "",
  ]) {
    expect([lost, await uidIn(lost)]).toEqual([lost, undefined]);
  }
});

test("[core.loopback.busy-table] an entry missing from some reads is looked up again", async () => {
  const { row, uidIn } = await fakeTables();
  for (const missed of [1, 2, 3, 5, 7]) {
    const readings = [...new Array<string>(missed).fill(""), row("01", 1234, 77)];
    expect([missed, await uidIn(...readings)]).toEqual([missed, 1234]);
  }
  const unclear = `${row("01", 0, 77)}\n${row("01", 1234, 78)}`;
  expect(await uidIn(unclear, row("06", 0, 0), row("01", 1234, 78))).toBe(1234);
});

test("[core.loopback.busy-table] a socket listed twice, or beside an earlier connection, has one owner", async () => {
  const { row, uidIn } = await fakeTables();
  const [held, former] = [row("01", 1234, 77), row("06", 0, 0)];

  for (const lines of [
    [held, held],
    [former, held],
    [held, former, former],
    [held, row("04", 1234, 77), row("05", 1234, 77)],
  ]) {
    expect([lines, await uidIn(lines.join("\n"))]).toEqual([lines, 1234]);
  }
});

test("[core.loopback.busy-table] a reset connection is not looked up again", async () => {
  const { client, row, uidIn } = await fakeTables();
  client.resetAndDestroy();
  await once(client, "close");

  expect(await uidIn("", row("01", 1234, 77))).toBeUndefined();
});

test.runIf(onLinux)(
  "[core.loopback.busy-table] our own requests are identified while hundreds of connections open and close",
  async () => {
    const [asked, busy] = [await listening(), await listening()];
    busy.server.on("connection", (socket) => socket.on("error", () => {}).resume());
    asked.server.on("connection", async (socket) => {
      socket.on("error", () => {}).resume();
      socket.end(String(await peers.uidOf(socket)));
    });
    let isDone = false;
    const comeAndGo = async (index: number): Promise<void> => {
      for (let turn = index; !isDone; turn++) {
        const client = connect(busy.port, "127.0.0.1").on("error", () => {});
        await once(client, "connect");
        await sleep(turn % 20);
        if (turn % 2 === 0) client.destroy();
        else client.resetAndDestroy();
        await once(client, "close");
      }
    };
    const ask = async (): Promise<string[]> => {
      const answers: string[] = [];
      for (let turn = 0; turn < 20; turn++) {
        const client = connect({ port: asked.port, host: "127.0.0.1", allowHalfOpen: true });
        // Every other connection has sent all its data before the lookup.
        client[turn % 2 === 0 ? "end" : "write"]("request");
        let answer = "";
        for await (const piece of client) answer += piece;
        answers.push(answer);
        client.destroy();
      }
      return answers;
    };
    const others = Array.from({ length: 300 }, (_, index) => comeAndGo(index));
    const answers = (await Promise.all(Array.from({ length: 20 }, ask))).flat();
    isDone = true;
    await Promise.all(others);

    expect(answers).toHaveLength(400);
    expect(answers.filter((answer) => answer !== String(own))).toEqual([]);
  },
);

test("[core.loopback.peer-user] a table read before the request is not used to identify it", async () => {
  let reads = 0;
  let release = () => {};
  const tables = openSocketTables(async () => {
    reads++;
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return line("");
  });
  const first = tables.readFresh("tcp");
  const later = [tables.readFresh("tcp"), tables.readFresh("tcp"), tables.readFresh("tcp")];
  expect(reads).toBe(1);
  release();
  await first;
  await expect.poll(() => reads).toBe(2);
  release();
  expect(new Set(await Promise.all(later)).size).toBe(1);
  expect(reads).toBe(2);
});
