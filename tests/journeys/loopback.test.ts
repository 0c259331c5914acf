import { execFile } from "node:child_process";
import { chmodSync, existsSync, lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { otherUser } from "../fixtures/other-user.ts";
import { pageHeaders } from "../fixtures/page-credential.ts";
import { startProcess, until } from "../programs/process.ts";
import { showFigures } from "./figures.ts";
import { freshHome, lectern, runProgram, startServer } from "./program.ts";

const run = promisify(execFile);
const token = "a-long-and-secret-word";

async function served(home: string, words: readonly string[] = [], env = {}) {
  const server = await startServer(home, words, env);
  onTestFinished(async () => {
    await server.stop();
  });
  return server;
}

/** What `curl` of another user is answered. */
const asOther = async (...words: string[]): Promise<string> =>
  (
    await run("curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", ...words], {
      uid: otherUser.uid,
      gid: otherUser.uid,
      cwd: "/",
      env: { PATH: process.env.PATH },
    })
  ).stdout;

test("[house.loopback.same-user] the examples of curl work for us, and another user is answered 401", async () => {
  const { url } = await served(freshHome());
  const { stdout } = await run("curl", ["-s", `${url}/status`]);
  expect(JSON.parse(stdout)).toMatchObject({ total_documents: 0 });
  if (otherUser.leftOut) return showFigures(`NOT RUN: ${otherUser.leftOut}`);
  expect(await asOther(`${url}/status`)).toBe("401");
  expect(await asOther(`${url}/index.html`)).toBe("401");
  expect(await asOther(`${url}/health`)).toBe("200");
});

test("[house.loopback.allow-user] a user that was allowed is served, and gets no page", async () => {
  if (otherUser.leftOut) return showFigures(`NOT RUN: ${otherUser.leftOut}`);
  const { url } = await served(freshHome(), ["--allow-user", String(otherUser.uid)]);
  expect(await asOther(`${url}/status`)).toBe("200");
  const { stdout } = await run("curl", ["-si", `${url}/index.html`], {
    uid: otherUser.uid,
    gid: otherUser.uid,
    cwd: "/",
  });
  expect(stdout).toMatch(/^HTTP\/1\.1 200 /);
  expect(stdout).not.toMatch(/set-cookie|lectern-page-key/i);
});

test("[house.loopback.allow-user] a user that is not there keeps the server from starting", async () => {
  const home = freshHome();
  const { code, stderr } = await runProgram(["serve", "--allow-user", "no-such-account"], { home });
  expect([code, stderr]).toEqual([2, expect.stringContaining("no-such-account")]);
});

test("[house.loopback.doctor] the start of a server and the doctor say who is served over loopback", async () => {
  const home = freshHome();
  const said = async (...words: string[]) => {
    const {
      child,
      said: heard,
      ended,
    } = startProcess([...lectern, "serve", "--port", "0", ...words], {
      LECTERN_HOME: home,
      LECTERN_TOKEN: "",
    });
    await until(() => /REST.*\n.*\n/s.test(heard.stderr), "the server has said where it is");
    child.kill("SIGTERM");
    await ended;
    return heard.stderr;
  };
  const isLinux = process.platform === "linux";
  expect(await said()).toMatch(isLinux ? /your own user and of root/ : /the home's secret/);
  expect(await said("--open-loopback")).toContain("every user of this machine");
  const { stdout } = await runProgram(["doctor"], { home });
  expect(stdout).toMatch(
    isLinux ? /loopback +processes of your own user/ : /loopback +this platform/,
  );
});

test("[house.loopback.socket] the home of a running server has a socket, which goes with it", async () => {
  const home = freshHome();
  const server = await startServer(home, [], { LECTERN_TOKEN: token });
  const socket = join(home, "lectern.sock");
  expect(lstatSync(socket).mode & 0o777).toBe(0o600);
  const { stdout } = await run("curl", ["-s", "--unix-socket", socket, "http://localhost/status"]);
  expect(JSON.parse(stdout)).toMatchObject({ total_documents: 0 });
  await server.stop();
  expect(existsSync(socket)).toBe(false);
});

test("[house.loopback.secret] a command of the same home opens a server that asks for a token", async () => {
  const home = freshHome();
  const { url } = await served(home, [], { LECTERN_TOKEN: token });
  const words = ["status", "--mode", "server", "--port", new URL(url).port];
  const ask = (of: string) => runProgram(words, { home: of, env: { LECTERN_TOKEN: "" } });
  expect(await ask(home)).toMatchObject({ code: 0 });
  expect(await ask(freshHome())).toMatchObject({ code: 5 });
});

test("[house.loopback.page-link] a person's shell prints a link that opens the page, once", async () => {
  const home = freshHome();
  expect(await runProgram(["page-link"], { home })).toMatchObject({ code: 7 });
  const { url } = await served(home, [], { LECTERN_TOKEN: token });
  const { stdout } = await runProgram(["page-link", "--url", url], { home });
  const link = stdout.trim();
  const page = await fetch(link);
  const own = await pageHeaders(page, url);
  const call = (headers: Record<string, string>) =>
    fetch(`${url}/page/status`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: '{"arguments":{}}',
    });
  expect((await call(own)).status).toBe(200);
  expect((await call({ ...own, "x-lectern-page-key": "" })).status).toBe(401);
  expect((await fetch(link)).status).toBe(401);
  // What was printed before a restart opens nothing, used or not.
  const { stdout: second } = await runProgram(["page-link", "--url", url], { home });
  const again = await served(home, [], { LECTERN_TOKEN: token });
  expect((await fetch(second.trim().replace(url, again.url))).status).toBe(401);
});

test("[house.http.token-hidden] a token is read from a file, and one that was typed leaves the list of processes", async () => {
  const home = freshHome();
  const file = join(home, "token");
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  const status = async (url: string, headers = {}) =>
    (await fetch(`${url}/status`, { headers })).status;
  const bearer = { authorization: `Bearer ${token}` };
  const { url } = await served(home, ["--token-file", file]);
  expect([await status(url), await status(url, bearer)]).toEqual([401, 200]);

  const typed = await served(freshHome(), ["--token", token]);
  expect(await status(typed.url, bearer)).toBe(200);
  if (process.platform === "linux") {
    const line = () => readFileSync(`/proc/${typed.child.pid}/cmdline`, "utf8");
    expect(line()).not.toContain(token);
  }

  for (const [text, words] of [
    ["short", ["--token-file", file]],
    ["two words here", ["--token-file", file]],
    [token, ["--token-file", file, "--token", token]],
    [token, ["--token-file", join(home, "none")]],
  ] as const) {
    writeFileSync(file, text);
    chmodSync(file, 0o600);
    const { code, stderr } = await runProgram(["serve", "--port", "0", ...words], { home });
    expect([words, code, stderr]).toEqual([words, 2, expect.stringContaining("--token-file")]);
    expect(stderr).not.toContain(token);
  }
});
