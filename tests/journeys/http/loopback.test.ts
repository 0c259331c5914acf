import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { pageHeaders } from "../../fixtures/http/page-credential.ts";
import { otherUser } from "../../fixtures/other-user.ts";
import { startProcess, until } from "../../programs/process.ts";
import { showFigures } from "../figures.ts";
import { freshHome, lectern, runProgram, startServer } from "../program.ts";

const run = promisify(execFile);
const token = "a-long-and-secret-word";

async function startTestServer(home: string, args: readonly string[] = [], env = {}) {
  const server = await startServer(home, args, env);
  onTestFinished(async () => {
    await server.stop();
  });
  return server;
}

/** The response to `curl` run by another user. */
const curlAsOther = async (...args: string[]): Promise<string> =>
  (
    await run("curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", ...args], {
      uid: otherUser.uid,
      gid: otherUser.uid,
      cwd: "/",
      env: { PATH: process.env.PATH },
    })
  ).stdout;

test("[core.loopback.same-user] the curl examples work for our own user, and another user gets 401", async () => {
  const { url } = await startTestServer(freshHome());
  const { stdout } = await run("curl", ["-s", `${url}/status`]);
  expect(JSON.parse(stdout)).toMatchObject({ total_documents: 0 });
  if (otherUser.skipReason) return showFigures(`NOT RUN: ${otherUser.skipReason}`);
  expect(await curlAsOther(`${url}/status`)).toBe("401");
  expect(await curlAsOther(`${url}/index.html`)).toBe("401");
  expect(await curlAsOther(`${url}/health`)).toBe("200");
});

test("[core.loopback.port-owner] no link is printed for a port that another user has taken", async () => {
  if (otherUser.skipReason) return showFigures(`NOT RUN: ${otherUser.skipReason}`);
  for (const host of ["127.0.0.1", "::1", "::"]) {
    const home = freshHome();
    const port = await listenAsOther(host);
    for (const name of ["127.0.0.1", "localhost", "[::1]"]) {
      const url = `http://${name}:${port}`;
      const { code, stdout, stderr } = await runProgram(["page-link", "--url", url], { home });
      expect([host, name, code, stdout]).toEqual([host, name, 5, ""]);
      expect(stderr).toContain(`Port ${port} belongs to a process of another user.`);
    }
    expect(existsSync(join(home, "login-codes"))).toBe(false);
  }
});

/** Starts a process of the other user that listens on a free port. */
async function listenAsOther(host: string): Promise<number> {
  const program = `const server = require("node:net").createServer();
    server.listen(0, process.argv[1], () => console.log(server.address().port))`;
  const child = spawn(process.execPath, ["-e", program, host], {
    uid: otherUser.uid,
    gid: otherUser.uid,
    cwd: "/",
  });
  onTestFinished(() => void child.kill());
  const [port] = await once(child.stdout, "data");
  return Number(port);
}

test("[core.loopback.allow-user] an allowed user, by number or name, is served but gets no page", async () => {
  if (otherUser.skipReason) return showFigures(`NOT RUN: ${otherUser.skipReason}`);
  const { stdout: name } = await run("id", ["-un", String(otherUser.uid)]);
  expect(name.trim()).toMatch(/^\D/);
  for (const account of [String(otherUser.uid), name.trim()]) {
    const home = freshHome();
    const { url } = await startTestServer(home, ["--allow-user", account]);
    expect([account, await curlAsOther(`${url}/status`)]).toEqual([account, "200"]);
    const { stdout: output } = await runProgram(["doctor"], { home });
    expect(output).toMatch(new RegExp(`loopback .*your own user, root and ${account} need no`));
    const { stdout } = await run("curl", ["-si", `${url}/index.html`], {
      uid: otherUser.uid,
      gid: otherUser.uid,
      cwd: "/",
    });
    expect(stdout).toMatch(/^HTTP\/1\.1 200 /);
    expect(stdout).not.toMatch(/set-cookie|lectern-page-key/i);
  }
});

test("[core.loopback.open] with --open-loopback another user is served, unless a token is required", async () => {
  if (otherUser.skipReason) return showFigures(`NOT RUN: ${otherUser.skipReason}`);
  const { url } = await startTestServer(freshHome(), ["--open-loopback"]);
  expect(await curlAsOther(`${url}/status`)).toBe("200");
  const withToken = await startTestServer(freshHome(), ["--open-loopback"], {
    LECTERN_TOKEN: token,
  });
  expect(await curlAsOther(`${withToken.url}/status`)).toBe("401");
});

test("[core.loopback.allow-user] a nonexistent user prevents the server from starting", async () => {
  const home = freshHome();
  const { code, stderr } = await runProgram(["serve", "--allow-user", "no-such-account"], { home });
  expect([code, stderr]).toEqual([2, expect.stringContaining("no-such-account")]);
});

test("[core.loopback.doctor] server startup and doctor report who is served over loopback", async () => {
  const home = freshHome();
  const startupMessage = async (...args: string[]) => {
    const { child, output, ended } = startProcess([...lectern, "serve", "--port", "0", ...args], {
      LECTERN_HOME: home,
      LECTERN_TOKEN: "",
    });
    await until(() => /REST.*\n.*\n/s.test(output.stderr), "the server prints its address");
    child.kill("SIGTERM");
    await ended;
    return output.stderr;
  };
  const isLinux = process.platform === "linux";
  expect(await startupMessage()).toMatch(isLinux ? /your own user and root/ : /the home's secret/);
  expect(await startupMessage("--open-loopback")).toContain("every user of this machine");
  const { stdout } = await runProgram(["doctor"], { home });
  expect(stdout).toMatch(
    isLinux ? /loopback +processes of your own user/ : /loopback +this platform/,
  );
  await startTestServer(home, ["--open-loopback"]);
  const doctorResult = await runProgram(["doctor"], { home });
  expect(doctorResult.stdout).toMatch(/warn +loopback +.*every user of this machine/i);
});

test("[core.loopback.socket] the home of a running server has a socket, which is removed at the end", async () => {
  const home = freshHome();
  const server = await startServer(home, [], { LECTERN_TOKEN: token });
  const socket = join(home, "lectern.sock");
  expect(lstatSync(socket).mode & 0o777).toBe(0o600);
  const { stdout } = await run("curl", ["-s", "--unix-socket", socket, "http://localhost/status"]);
  expect(JSON.parse(stdout)).toMatchObject({ total_documents: 0 });
  await server.stop();
  expect(existsSync(socket)).toBe(false);
});

test("[core.loopback.secret] a command of the same home can use a server that requires a token", async () => {
  const home = freshHome();
  const { url } = await startTestServer(home, [], { LECTERN_TOKEN: token });
  const args = ["status", "--mode", "server", "--port", new URL(url).port];
  const ask = (of: string) => runProgram(args, { home: of, env: { LECTERN_TOKEN: "" } });
  expect(await ask(home)).toMatchObject({ code: 0 });
  expect(await ask(freshHome())).toMatchObject({ code: 5 });
});

test("[core.loopback.page-link] a command prints a link that opens the page, once", async () => {
  const home = freshHome();
  // A link that was printed before the server started opens its page.
  const earlyLink = (await runProgram(["page-link", "--url", "http://127.0.0.1:1"], { home }))
    .stdout;
  const { url } = await startTestServer(home, [], { LECTERN_TOKEN: token });
  const { stdout } = await runProgram(["page-link", "--url", url], { home });
  const link = stdout.trim();
  expect((await fetch(earlyLink.trim().replace("http://127.0.0.1:1", url))).status).toBe(200);
  const page = await fetch(link);
  const headers = await pageHeaders(page, url);
  const call = (headers: Record<string, string>) =>
    fetch(`${url}/page/status`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: '{"arguments":{}}',
    });
  expect((await call(headers)).status).toBe(200);
  expect((await call({ ...headers, "x-lectern-page-key": "" })).status).toBe(401);
  expect((await fetch(link)).status).toBe(401);
  // A used code stays invalid after a restart.
  const restarted = await startTestServer(home, [], { LECTERN_TOKEN: token });
  expect((await fetch(link.replace(url, restarted.url))).status).toBe(401);
});

test("[core.boundary.home] an agent with the token reads nothing in the home, and cannot open a page", async () => {
  const home = freshHome();
  const workFolder = mkdtempSync(join(tmpdir(), "lectern-work-"));
  const { url } = await startTestServer(home, ["--root", workFolder], { LECTERN_TOKEN: token });
  const ask = async (path: string, body: object) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return [answer.status, await answer.text()] as const;
  };
  for (const path of [home, `${home}/.`, join(home, "login-codes")]) {
    const [status, text] = await ask("/collections/add", { path, name: "hm", glob_pattern: "*" });
    expect([path, status, text]).toEqual([path, 403, expect.stringContaining("own home")]);
  }
  const [status, text] = await ask("/tools/read_directory", { arguments: { path: home } });
  expect([status === 200 && !text.includes('"isError":true'), text]).toEqual([
    false,
    expect.stringContaining("own home"),
  ]);
  const added = await runProgram(["collection", "add", home, "--name", "hm"], {
    home,
    cwd: workFolder,
  });
  expect([added.code, added.stderr]).toEqual([5, expect.stringContaining("own home")]);
  // The files of the home do not contain a valid code.
  const { stdout } = await runProgram(["page-link", "--url", url], { home });
  const files = readdirSync(home, { recursive: true, withFileTypes: true });
  const code = new URL(stdout.trim()).searchParams.get("code") ?? "-";
  for (const file of files.filter((file) => file.isFile())) {
    const bytes = readFileSync(join(file.parentPath, file.name));
    expect([file.name, file.name.includes(code) || bytes.includes(code)]).toEqual([
      file.name,
      false,
    ]);
  }
});

test("[core.http.token-hidden] a token is read from a file, and a token given as an argument is hidden from the process list", async () => {
  const home = freshHome();
  const file = join(home, "token");
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  const status = async (url: string, headers = {}) =>
    (await fetch(`${url}/status`, { headers })).status;
  const bearer = { authorization: `Bearer ${token}` };
  const { url } = await startTestServer(home, ["--token-file", file]);
  expect([await status(url), await status(url, bearer)]).toEqual([401, 200]);

  const withToken = await startTestServer(freshHome(), ["--token", token]);
  expect(await status(withToken.url, bearer)).toBe(200);
  if (process.platform === "linux") {
    const line = () => readFileSync(`/proc/${withToken.child.pid}/cmdline`, "utf8");
    expect(line()).not.toContain(token);
  }

  for (const [text, args] of [
    ["short", ["--token-file", file]],
    ["two words here", ["--token-file", file]],
    [token, ["--token-file", file, "--token", token]],
    [token, ["--token-file", join(home, "none")]],
  ] as const) {
    writeFileSync(file, text);
    chmodSync(file, 0o600);
    const { code, stderr } = await runProgram(["serve", "--port", "0", ...args], { home });
    expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining("--token-file")]);
    expect(stderr).not.toContain(token);
  }
});
