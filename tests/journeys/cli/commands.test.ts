import { execFile } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openProposals } from "../../../src/kernel/approval/proposals.ts";
import { createCall } from "../../../src/kernel/call.ts";
import { openDatabase } from "../../../src/kernel/storage/database.ts";
import { runSteps } from "../../../src/kernel/storage/sqlite-store.ts";
import { childrenOf, isAlive, startProcess, until } from "../../programs/process.ts";
import { request } from "../../programs/wire.ts";
import { openEvents } from "../page-events.ts";
import { builtFile, freshHome, runProgram, startServer } from "../program.ts";

const home = freshHome();
const folder = join(home, "library");
const commands = join(home, "bin");
const lectern = (...args: string[]) => runProgram(args, { home, cwd: folder });

beforeAll(async () => {
  mkdirSync(join(folder, "long"), { recursive: true });
  mkdirSync(commands);
  symlinkSync(builtFile("lectern.js"), join(commands, "lectern"));
  writeFileSync(join(folder, "harbour.md"), "# Harbour\n\nA lighthouse.\n");
  // The names exceed the buffer of a pipe.
  for (let index = 0; index < 600; index++) {
    writeFileSync(join(folder, "long", `${"page-".repeat(30)}${index}.md`), "Words.\n");
  }
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs a line in a real shell, with the program on its path. */
function runLine(line: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const PATH = [commands, dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, LECTERN_HOME: home, PATH };
  return new Promise((resolve) => {
    execFile("bash", ["-c", line], { cwd: folder, env }, (error, stdout, stderr) => {
      const code = error ? Number(error.code ?? 1) : 0;
      resolve({ code, stdout, stderr });
    });
  });
}

test("[core.commands.add] `collection add` uses the folder's name if no name is given", async () => {
  expect(await lectern("collection", "add")).toEqual({
    code: 0,
    stdout: "Added collection 'library' with 601 documents\n",
    stderr: "",
  });
  expect(await lectern("collection", "add")).toMatchObject({
    code: 4,
    stdout: "",
    stderr: expect.stringContaining("'library' already exists"),
  });
});

test("[core.commands.help] without arguments lectern prints one screen, and with help all commands", async () => {
  const alone = await lectern();
  expect(alone).toMatchObject({ code: 0, stderr: "" });
  for (const expected of [
    "Usage:",
    "search <query...>",
    "collection add",
    "serve",
    "mcp",
    "doctor",
  ]) {
    expect(alone.stdout).toContain(expected);
  }
  expect(alone.stdout.split("\n").length).toBeLessThanOrEqual(40);
  const help = await lectern("help");
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining("collection rename") });
  expect((await lectern("--help")).stdout).toBe(help.stdout);
  const search = await lectern("search", "--help");
  expect(search).toMatchObject({ code: 0, stdout: expect.stringContaining("--min-score") });
  expect((await lectern("help", "search")).stdout).toBe(search.stdout);
});

test("[core.commands.exit-codes] an empty result exits with 0; a usage error and a missing item have their own exit codes", async () => {
  const check = async (args: string[], code: number, expected: string) => {
    const ended = await lectern(...args);
    expect([args, ended.code, ended.stdout + ended.stderr]).toEqual([
      args,
      code,
      expect.stringContaining(expected),
    ]);
  };
  await check(["search", "lighthouse"], 0, "library/harbour.md");
  await check(["search", "zeppelin"], 0, 'No results found for "zeppelin"');
  await check(["search", "lighthouse", "-c", "librray"], 3, "Did you mean 'library'?");
  await check(["get", "harbor.md"], 3, "library/harbour.md");
  await check(["search", "x", "--limt", "3"], 2, "--limit");
  await check(["search", "x", "--limit", "many"], 2, "limit");
  await check(["search"], 2, "query");
  await check(["serach", "x"], 2, "search");
  await check(["collection", "add", "no-such-folder", "--name", "n"], 3, "no-such-folder");
  await check(["collection", "remove", "library", "--read-only"], 5, "--read-only");
});

test("[core.commands.warnings] a warning is printed once, on stderr", async () => {
  const { code, stdout, stderr } = await runProgram(["search", "lamp"], { home: freshHome() });

  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: 'No results found for "lamp"\n',
    stderr: "There are no collections yet. Add one: lectern collection add <folder>\n",
  });
});

test("[core.commands.json] with --json, stdout is one JSON document, whatever the exit code", async () => {
  const parse = `node -e 'process.stdin.toArray().then((all) => JSON.parse(all.join("")))'`;
  for (const args of ["search lighthouse", "status", "ls", "doctor", "get nothing", "search"]) {
    expect(await runLine(`lectern ${args} --json 2>/dev/null | ${parse}`)).toMatchObject({
      code: 0,
      stderr: "",
    });
  }
  const { stdout } = await lectern("search", "lighthouse", "--json");
  expect(JSON.parse(stdout)).toMatchObject([{ file: "library/harbour.md" }]);
});

test("[search.cli.formats] results are printed as CSV, Markdown, or one line per file", async () => {
  const print = async (...args: string[]) => {
    const { code, stdout, stderr } = await lectern("search", "a", "lighthouse", ...args);
    expect([args, code, stderr]).toEqual([args, 0, ""]);
    return stdout;
  };
  const [names, hit] = (await print("--csv")).split("\n");
  expect(names).toMatch(/^docid,score,file,title,context,(line,)?snippet/);
  expect(hit).toMatch(/^#[0-9a-f]{6},[\d.]+,library\/harbour\.md,Harbour,/);
  expect(await print("--files")).toMatch(/^#[0-9a-f]{6},[\d.]+,qmd:\/\/library\/harbour\.md\n$/);
  expect(await print("--md")).toMatch(
    /^## Harbour\n\n- docid: .*\n```\n.*\n?3: A lighthouse\.\n```\n$/s,
  );
  expect(await print("--format", "json")).toBe(await print("--json"));
  expect((await lectern("ls", "--files", "-n", "1")).stdout).toBe("library/harbour.md\n");
  expect(await lectern("search", "x", "--csv", "--md")).toMatchObject({ code: 2, stdout: "" });
});

const onLinux = test.runIf(process.platform === "linux");

onLinux("[search.cli.terminal] a terminal shows progress and highlights matches", async () => {
  const separateHome = join(home, "shown");
  const onTerminal = (line: string) =>
    runLine(
      `mkdir -p ${separateHome}; export LECTERN_HOME=${separateHome}; script -qec '${line}' /dev/null`,
    );
  const added = await onTerminal("stty cols 60; lectern collection add --name again");
  expect(added.stdout).toContain("\r\u001b[2KAdd a collection: 200");
  expect(added.stdout).toContain("\u001b[2KAdded collection 'again' with 601 documents\r\n");
  const found = await onTerminal("stty cols 60; lectern search lighthouses");
  expect(found.stdout).toContain("\u001b[1mHarbour\u001b[22m");
  expect(found.stdout).toContain("\u001b[36magain/harbour.md");
  expect(found.stdout).toContain("A \u001b[1m\u001b[33mlighthouse\u001b[39m\u001b[22m.");
  expect(await runLine(`LECTERN_HOME=${separateHome} lectern search lighthouses`)).toMatchObject({
    stdout: expect.not.stringContaining("\u001b"),
    stderr: "",
  });
});

test("[core.commands.pipe] a reader that closes the pipe early causes no error message", async () => {
  const { stdout, stderr, code } = await runLine(
    "set -o pipefail; lectern ls --limit 1000 | head -1",
  );
  expect([stdout, stderr, code]).toEqual(["library/harbour.md\n", "", 0]);
  expect((await lectern("ls", "--limit", "1000")).stdout.length).toBeGreaterThan(65_536);
});

test("[core.commands.completion] bash completes with the sourced script", async () => {
  const completionsOf = async (...args: string[]) => {
    const quoted = ["lectern", ...args].map((expected) => `'${expected}'`).join(" ");
    const { stdout, stderr } = await runLine(
      `source <(lectern completion bash)
       [[ "$(complete -p lectern)" =~ -F\\ ([^ ]+) ]]
       COMP_WORDS=(${quoted}); COMP_CWORD=${args.length}
       "\${BASH_REMATCH[1]}"; printf '%s\\n' "\${COMPREPLY[@]}"`,
    );
    expect(stderr).toBe("");
    return stdout.trim().split("\n");
  };
  expect(await completionsOf("coll")).toEqual(["collection"]);
  expect(await completionsOf("collection", "re")).toEqual(["remove", "rename"]);
  expect(await completionsOf("search", "x", "--min-s")).toEqual(["--min-score"]);
  expect(await completionsOf("search", "x", "--format", "c")).toEqual(["csv"]);
  expect(await completionsOf("serve", "--mo")).not.toContain("--mode");
});

describe("serve", () => {
  test("[core.commands.ctrl-c] Ctrl+C ends the command promptly and leaves nothing behind", async () => {
    const server = await startServer(home);
    const events = await openEvents(server.url);
    const pid = Number(server.child.pid);
    await until(() => process.platform !== "linux" || childrenOf(pid).length > 0, "a watcher");
    const children = childrenOf(pid);
    const start = performance.now();
    const ended = once(server.child, "exit");
    server.child.kill("SIGINT");

    const [code] = await ended;
    expect(performance.now() - start).toBeLessThan(20_000);
    expect([0, 130]).toContain(code);
    await expect(fetch(`${server.url}/health`)).rejects.toThrow();
    await until(() => !children.some(isAlive), "its watcher has ended");
    events.close();
  });

  test("[core.commands.port-taken] a port in use is reported with a remedy", async () => {
    const server = await startServer(home);
    onTestFinished(async () => {
      await server.stop();
    });
    const { port } = new URL(server.url);
    const second = await lectern("serve", "--port", port);
    expect(second).toMatchObject({ code: 4, stdout: "" });
    expect(second.stderr).toContain(port);
    expect(second.stderr).toContain("--port");
    expect(second.stderr).not.toMatch(/\n\s+at /);
  });
});

describe("init", () => {
  const folder = join(home, "project");
  const file = join(folder, ".mcp.json");
  const init = (...args: string[]) => runProgram(["init", ...args], { home, cwd: folder });

  test("[core.commands.init] init writes an entry that starts this program", async () => {
    mkdirSync(folder);
    expect(await init()).toMatchObject({ code: 0, stderr: "" });
    const { command, args } = JSON.parse(readFileSync(file, "utf8")).mcpServers.lectern;
    const { child, ended, answerTo } = startProcess([command, ...args], { LECTERN_HOME: home });
    child.stdin.write(request(1, "initialize", {}));
    expect(await answerTo(1)).toMatchObject({ result: { serverInfo: { name: "lectern" } } });
    child.stdin.end();
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  test("[core.commands.init] other entries are kept unchanged", async () => {
    const others = { mcpServers: { other: { command: "other" } }, theirs: [1, 2] };
    writeFileSync(file, JSON.stringify(others, null, 4));
    expect(await init()).toMatchObject({ code: 0 });
    const written = readFileSync(file, "utf8");
    expect(JSON.parse(written)).toEqual({
      ...others,
      mcpServers: { ...others.mcpServers, lectern: expect.anything() },
    });
    expect(written).toContain('\n    "mcpServers"');
    expect(await init("--http")).toMatchObject({ code: 4 });
    expect(readFileSync(file, "utf8")).toBe(written);
    writeFileSync(file, "{ broken");
    expect(await init()).toMatchObject({ code: 4 });
    expect(readFileSync(file, "utf8")).toBe("{ broken");
  });
});

describe("damage", () => {
  /** A home with a collection of twelve documents and a pending proposal. */
  async function homeWithProposal() {
    const separateHome = freshHome();
    onTestFinished(() => rmSync(separateHome, { recursive: true, force: true }));
    const folder = join(separateHome, "notes");
    mkdirSync(folder);
    for (let index = 0; index < 12; index++) {
      writeFileSync(join(folder, `p${index}.md`), `# Page ${index}\n\nA lighthouse.\n`);
    }
    const run = (...args: string[]) => runProgram(args, { home: separateHome });
    expect(await run("collection", "add", folder)).toMatchObject({ code: 0 });
    const store = join(separateHome, "lectern.sqlite");
    const db = openDatabase(store);
    const draft = {
      shelf: "search",
      operation: "remove_collection",
      input: { name: "notes" },
      summary: "Forget the notes",
    };
    const call = createCall({ actor: { surface: "mcp", client: "an agent" } });
    runSteps(db, openProposals().propose(draft, call));
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    db.close();
    for (const suffix of ["-wal", "-shm"]) rmSync(store + suffix, { force: true });
    return { separateHome, run, store, config: join(separateHome, "config.json") };
  }

  test("[core.commands.damaged-config] a damaged configuration is reported, and repair restores the last valid one", async () => {
    const { separateHome, run, config } = await homeWithProposal();
    const valid = readFileSync(config, "utf8");
    writeFileSync(config, valid.slice(0, -20));
    for (const args of [
      ["status"],
      ["search", "lighthouse"],
      ["collection", "add", separateHome],
    ]) {
      const { code, stderr } = await run(...args);
      expect([args, code]).toEqual([args, 4]);
      expect(stderr).toContain("config.json");
      expect(stderr).toContain("doctor --repair");
    }
    expect(await run("doctor")).toMatchObject({ code: 1 });
    expect(await run("doctor", "--repair")).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(config, "utf8"))).toEqual(JSON.parse(valid));
    expect((await run("search", "lighthouse", "-n", "20")).stdout.match(/notes\/p/g)).toHaveLength(
      12,
    );
    expect(readdirSync(separateHome).some((name) => name.startsWith("config.json.damaged-"))).toBe(
      true,
    );
  });

  test.each<[how: string, harm: (store: string) => void]>([
    ["is garbage", (store) => writeFileSync(store, Buffer.alloc(50_000, "garbage "))],
    ["was cut off", (store) => truncateSync(store, 10_000)],
    ["was emptied", (store) => truncateSync(store, 0)],
    ["is gone", (store) => rmSync(store)],
  ])(
    "[core.commands.damaged-store] a store that %s is rebuilt from the folders immediately",
    async (_, damage) => {
      const { run, store } = await homeWithProposal();
      damage(store);
      const { code, stdout, stderr } = await run("search", "lighthouse", "-n", "20");
      expect([code, stdout.match(/notes\/p/g)?.length], stderr).toEqual([0, 12]);
      expect(await run("doctor")).toMatchObject({ code: 0 });
    },
  );

  test("[core.commands.damaged-store] authored data is recovered from a store with a broken index", async () => {
    const { separateHome, run, store } = await homeWithProposal();
    const bytes = readFileSync(store);
    for (const page of pagesOf(store, "search_")) {
      bytes.fill(0xa5, (page - 1) * 4096, page * 4096);
    }
    writeFileSync(store, bytes);

    expect(await run("search", "lighthouse")).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("doctor --repair"),
    });
    expect(await run("doctor")).toMatchObject({ code: 1 });
    expect(await run("doctor", "--repair")).toMatchObject({ code: 0 });
    expect((await run("search", "lighthouse", "-n", "20")).stdout.match(/notes\/p/g)).toHaveLength(
      12,
    );
    expect((await run("proposals")).stdout).toContain("Forget the notes");
    expect((await run("activity")).stdout).toContain("Added collection 'notes'");
    expect(readdirSync(separateHome).some((name) => name.includes("sqlite.damaged-"))).toBe(true);
  });

  /** The numbers of the root pages of the tables and indexes with this name. */
  function pagesOf(store: string, name: string): number[] {
    const db = openDatabase(store, { readOnly: true });
    const rows = db.all<{ rootpage: number }>(
      "SELECT rootpage FROM sqlite_master WHERE rootpage > 0 AND tbl_name LIKE ?",
      `${name}%`,
    );
    db.close();
    return rows.map(({ rootpage }) => rootpage);
  }
});
