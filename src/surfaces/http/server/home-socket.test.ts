import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { smallLibrary } from "../../../../tests/fixtures/library/small-library.ts";
import { finding } from "../../../../tests/fixtures/library/small-shelves.ts";
import { bindHomeSocket } from "../../../kernel/peers/home-socket.ts";
import { createHttpApp } from "../http-app.ts";
import { serveHttp } from "./http-server.ts";

const home = () => mkdtempSync(join(tmpdir(), "h-"));

const ask = (socketPath: string, path: string) =>
  new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    request({ socketPath, path, agent: false, headers: { host: "localhost" } }, async (answer) =>
      resolve({ status: answer.statusCode, body: await text(answer) }),
    )
      .on("error", reject)
      .end();
  });

async function serve(homeSocket: string) {
  const app = createHttpApp({
    app: smallLibrary([finding]),
    mcp: async () => new Response(),
    token: "s3cret-token",
  });
  const server = await serveHttp({ app, ports: [0], homeSocket });
  onTestFinished(() => server.close());
  return server;
}

test("[core.loopback.socket] the same app answers on a socket with mode 0600 in the home, until it ends", async () => {
  const folder = home();
  const path = join(folder, "lectern.sock");
  const server = await serve(path);
  expect(server.homeSocket.isBound).toBe(true);
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["lectern.sock"]);
  expect(await ask(path, "/folders")).toMatchObject({ status: 200 });
  await server.close();
  expect(existsSync(path)).toBe(false);
});

test("[core.loopback.socket] the socket of a dead server is replaced, and a live one is left alone", async () => {
  const path = join(home(), "lectern.sock");
  const dead = createServer();
  await bindHomeSocket(dead, path);
  await new Promise((resolve) => dead.close(resolve));
  expect(existsSync(path)).toBe(true);

  const first = await serve(path);
  const { ino } = lstatSync(path);
  const second = await serve(path);
  expect([first.homeSocket.isBound, second.homeSocket.isBound]).toEqual([true, false]);
  await second.close();
  expect(lstatSync(path).ino).toBe(ino);
  expect(await ask(path, "/folders")).toMatchObject({ status: 200 });
});

test("[core.loopback.socket] if the path is too long or the folder is missing, the other transports are still served", async () => {
  const long = join(home(), "x".repeat(100));
  mkdirSync(long);
  const far = await serve(join(long, "lectern.sock"));
  expect(far.homeSocket).toMatchObject({ isBound: false, note: expect.stringMatching(/107|103/) });
  const gone = home();
  rmSync(gone, { recursive: true });
  const lost = await serve(join(gone, "lectern.sock"));
  expect(lost.homeSocket).toMatchObject({
    isBound: false,
    note: expect.stringContaining("ENOENT"),
  });
  for (const { addresses } of [far, lost]) {
    expect((await fetch(`${addresses[0]}/health`)).status).toBe(200);
  }
});

test("a socket replaced by another server is not removed", async () => {
  const path = join(home(), "lectern.sock");
  const [one, two]: Server[] = [createServer(), createServer()];
  if (!one || !two) throw new Error("There are two.");
  onTestFinished(() => {
    one.close();
    two.close();
  });
  const first = await bindHomeSocket(one, path);
  rmSync(path);
  await bindHomeSocket(two, path);
  first.remove();
  expect(existsSync(path)).toBe(true);
});
