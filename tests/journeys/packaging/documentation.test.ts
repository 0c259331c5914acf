import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { startProcess } from "../../programs/process.ts";
import { request } from "../../programs/wire.ts";
import { requirements } from "../../requirements/all.ts";
import { showFigures } from "../figures.ts";
import { builtFile, runProgram, sample } from "../program.ts";
import {
  type Block,
  blocksOf,
  commandsOf,
  dialogueOf,
  matchesOutput,
  pages,
  repository,
} from "./documented-blocks.ts";

/**
 * Runs the commands of one page in order in a real shell, with a separate home, the three commands
 * on the path and the sample in the folder `sample`.
 */
function reader() {
  const home = mkdtempSync(join(tmpdir(), "reader-"));
  const commands = join(home, ".bin");
  mkdirSync(commands);
  for (const name of ["lectern", "qmd", "qmdc"]) {
    symlinkSync(builtFile(`${name}.js`), join(commands, name));
  }
  cpSync(sample, join(home, "sample"), { recursive: true });
  const env = {
    PATH: [commands, dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: home,
    CURL_HOME: home,
    TMPDIR: tmpdir(),
  };
  let cwd = home;
  let server: ChildProcess | undefined;

  /** Runs a line in bash, in the folder in which the previous line ended. */
  function type(line: string): Promise<{ code: number; printed: string }> {
    const script = `{ ${line}\n} 2>&1; code=$?; pwd > "$HOME/.cwd"; exit $code`;
    return new Promise((resolve) => {
      execFile("bash", ["-c", script], { cwd, env, maxBuffer: 2 ** 26 }, (error, printed) => {
        cwd = readFileSync(join(home, ".cwd"), "utf8").trim();
        resolve({ code: error ? Number(error.code ?? 1) : 0, printed });
      });
    });
  }

  /** Starts a server until the end of the page. curl connects the port on the page to it. */
  async function serve(line: string): Promise<void> {
    await stop();
    const child = spawn("bash", ["-c", `exec env ${line} --port 0`], { cwd, env });
    server = child;
    let output = "";
    const port = await new Promise<string>((resolve, reject) => {
      child.stderr.on("data", (chunk: Buffer) => {
        output += chunk;
        const found = /http:\/\/[^\s/]+:(\d+)/.exec(output)?.[1];
        if (found) resolve(found);
      });
      child.once("exit", (code) => reject(new Error(`'${line}' ended with ${code}: ${output}`)));
    });
    const settings = [
      "silent",
      "show-error",
      "fail",
      `connect-to = "127.0.0.1:18765:127.0.0.1:${port}"`,
    ];
    writeFileSync(join(home, ".curlrc"), `${settings.join("\n")}\n`);
  }

  async function stop(): Promise<void> {
    if (!server) return;
    const ended = once(server, "exit");
    server.kill("SIGTERM");
    server = undefined;
    expect(await ended).toEqual([0, null]);
  }

  const isServing = () => server !== undefined;
  return { home, env, type, serve, stop, isServing, folder: () => cwd };
}

type Reader = ReturnType<typeof reader>;

const readers: Reader[] = [];
afterAll(() => Promise.all(readers.map(({ stop }) => stop())));

/** Whether a server that is started with this command answers `initialize`. */
async function answersInitialize({ env, home }: Reader, command: string, args: readonly string[]) {
  const words = args.map((word) => word.replace("/home/you", home));
  const started = startProcess(["env", command, ...words], env);
  started.child.stdin.end(request(1, "initialize", {}));
  expect(await started.ended, started.output.stderr).toEqual({ code: 0, signal: null });
  expect(started.lines).toMatchObject([
    { id: 1, result: { serverInfo: { name: expect.any(String) } } },
  ]);
}

interface Entry {
  command?: string;
  args?: string[];
  url?: string;
}

/** The servers in a client's configuration, under either of the common keys. */
function entriesOf(value: unknown): Entry[] {
  const { mcpServers, servers } = value as Record<string, Record<string, Entry> | undefined>;
  return Object.values(mcpServers ?? servers ?? {});
}

async function runBlock(person: Reader, block: Block): Promise<void> {
  if (block.language === "json") {
    for (const { command, args = [], url } of entriesOf(JSON.parse(block.text))) {
      if (command !== undefined) await answersInitialize(person, command, args);
      if (url === undefined) continue;
      expect(person.isServing(), "the page starts a server before it uses a URL").toBe(true);
      const greeting = request(1, "initialize", {}).trim();
      const { code, printed } = await person.type(
        `curl -X POST ${url} -H "Content-Type: application/json" -d '${greeting}'`,
      );
      expect([code, printed]).toEqual([0, expect.stringContaining('"serverInfo"')]);
    }
  }
  if (block.language === "console") {
    for (const { command, expected } of dialogueOf(block)) {
      const { printed } = await person.type(command);
      expect(
        matchesOutput(expected, printed),
        `$ ${command}\n${printed}\nand the page shows\n${expected}`,
      ).toBe(true);
    }
  }
  if (block.language === "sh") {
    for (const command of commandsOf(block)) {
      if (/^(\w+=\S+ )?(lectern serve|qmd server)\b/.test(command)) await person.serve(command);
      else {
        const { code, printed } = await person.type(command);
        expect([command, code, printed]).toEqual([command, 0, expect.any(String)]);
        expect(printed, command).not.toMatch(/^(error|\S+ (WARN|ERROR)) /m);
      }
    }
  }
}

const languages = ["sh", "console", "json"];

const blocksToRun = (page: string) =>
  blocksOf(page).filter(({ language }) => languages.includes(language));

const pagesToFollow = pages.filter((page) => blocksToRun(page).length > 0);

describe.each(pagesToFollow)("%s", (page) => {
  test("[core.documentation.commands] every command and file on the page works as written", async () => {
    const person = reader();
    readers.push(person);
    for (const block of blocksToRun(page)) {
      if (block.notRun !== undefined) {
        showFigures(`NOT RUN ${page}:${block.line}: ${block.notRun}`);
        continue;
      }
      await runBlock(person, block).catch((error: Error) => {
        throw new Error(`${page}:${block.line}: ${error.message}`, { cause: error });
      });
    }
    await person.stop();
  });
});

test("[core.documentation.settings] each server in a client's configuration can be started", () => {
  const commandLines = pages.flatMap((page) =>
    blocksOf(page)
      .filter(({ language }) => language === "json")
      .flatMap(({ text }) => entriesOf(JSON.parse(text))),
  );
  expect(commandLines.length).toBeGreaterThan(8);
  expect(
    commandLines.filter(({ command, url }) => command === undefined && url === undefined),
  ).toEqual([]);
});

test("[core.documentation.commands] every code block has a language, so that none is skipped", () => {
  const bare = pages.filter((page) => {
    const fences = readFileSync(join(repository, page), "utf8").match(/^```.*$/gm) ?? [];
    return fences.some((block, index) => index % 2 === 0 && block === "```");
  });
  expect(bare.filter((page) => page !== "docs/architecture-knowledge.md")).toEqual([]);
});

test("[core.documentation.links] the documentation has no broken links", async () => {
  const home = mkdtempSync(join(tmpdir(), "links-"));
  for (const path of ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs"]) {
    const args = ["repository", "links", path, "--json"];
    const { code, stdout, stderr } = await runProgram(args, { home, cwd: repository });
    expect([path, code, stderr]).toEqual([path, 0, ""]);
    const { summary, results } = JSON.parse(stdout).data;
    expect([path, summary.brokenLinks, results]).toEqual([path, 0, []]);
  }
});

test("[core.documentation.commands] the security page names existing requirements", () => {
  const text = readFileSync(join(repository, "docs", "security.md"), "utf8");
  const commandLines = [...text.matchAll(/\[([a-z]+(?:\.[a-z0-9-]+)+)\](?!\()/g)].map(
    ([, id]) => id ?? "",
  );
  expect(commandLines.length).toBeGreaterThan(30);
  expect(commandLines.filter((id) => !(id in requirements))).toEqual([]);
});
