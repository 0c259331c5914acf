/** One request, and how it is sent. */
export interface Attempt {
  transport: string;
  request: string;
  host: string;
  port: number;
}

export interface Result {
  transport: string;
  name: string;
  /** The complete response. */
  received: string;
}

/**
 * The program that runs as the other user: it reads its requests from stdin and writes the
 * results. Everything is sent over raw sockets, so that no client library interferes.
 */
export const attemptProgram = `
const net = require("node:net");
const fs = require("node:fs");

const responseOf = (options, talk) => new Promise((resolve) => {
  let received = "";
  const socket = net.connect(options);
  const end = () => { socket.destroy(); resolve(received); };
  const timer = setTimeout(end, 3000);
  socket.on("data", (chunk) => { received += chunk; });
  socket.on("error", (error) => { received += " " + error.code; });
  socket.on("close", () => { clearTimeout(timer); resolve(received); });
  socket.on("connect", () => talk(socket));
});

const closing = (request) => request.replace("\\r\\n", "\\r\\nConnection: close\\r\\n");

const transports = {
  plain: (socket, request) => socket.write(closing(request)),
  "kept alive": (socket, request) => {
    socket.write(request);
    let sent = 1;
    socket.on("data", () => {
      if (sent++ < 3) socket.write(sent < 3 ? request : closing(request));
      else setTimeout(() => socket.end(), 50);
    });
  },
  pipelined: (socket, request) => socket.write(request + request + closing(request)),
  "half-closed": (socket, request) => socket.end(closing(request)),
  "closed immediately": (socket, request) => socket.write(request, () => socket.destroy()),
  "reset immediately": (socket, request) => socket.write(request, () => socket.resetAndDestroy()),
};

async function main(work) {
  const results = [];
  const note = (transport, name, received) => results.push({ transport, name, received });
  for (const { transport, request, host, port } of work.attempts) {
    const send = (socket) => transports[transport](socket, request);
    const name = transport + " at " + host + ": " + request.split("\\r\\n")[0];
    note(transport, name, await responseOf({ host, port }, send));
  }
  const get = "GET /status HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n";
  for (const path of work.sockets) {
    note("Unix socket", path.split("/").pop(), await responseOf({ path }, (socket) => socket.end(get)));
  }
  for (const path of work.files) {
    let received = "FILE READ";
    try { fs.readFileSync(path); } catch (error) { received = error.code; }
    note("file", path.split("/").pop(), received);
  }
  for (const talk of [
    (socket) => socket.write(work.message),
    (socket) => socket.end(work.message),
    (socket) => socket.end("{"),
    (socket) => socket.write(work.message, () => socket.destroy()),
    (socket) => socket.write(work.message, () => socket.resetAndDestroy()),
    (socket) => socket.end("A".repeat(43) + "\\n" + work.message),
  ]) {
    note("bridge", "the bridge", await responseOf({ host: "127.0.0.1", port: work.bridgePort }, talk));
  }
  process.stdout.write(JSON.stringify(results));
}

let text = "";
process.stdin.on("data", (chunk) => { text += chunk; }).on("end", () => main(JSON.parse(text)));
`;
