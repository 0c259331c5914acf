import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type HostileFile,
  hostileFiles,
} from "../../fixtures/qualitative/hostile-project-files.ts";
import { privateText } from "../../fixtures/qualitative/hostile-schemas.ts";
import { startServer } from "../../journeys/program.ts";
import { startAgent } from "../../journeys/stdio-agent.ts";
import type { Campaign, Round, RoundReport } from "../campaign.ts";
import { type Answer, httpClientAt } from "../http-client.ts";
import { memoryLosses } from "../process-memory.ts";

/** The memory limit of the server, without its hosts. */
const maxBytes = 600 * 2 ** 20;
/** The time limit of a call, and the maximum response time on a busy machine. */
const timeLimitMs = 5_000;
const timeoutMs = 30_000;
/** The maximum waiting time of other clients. */
const promptMs = 5_000;

const victimText = "the victim's text";

/**
 * Hostile databases, opened as projects and imported. Whatever they do, other clients are
 * served, and no file except the project's own is touched.
 */
export const hostileDatabases: Campaign = {
  name: "hostile-databases",
  unit: "hostile files",
  counts: {
    ci: 2 * hostileFiles.length,
    default: 4 * hostileFiles.length,
    long: 40 * hostileFiles.length,
  },
  roundOf: hostileFiles.length,
  skipReason: () => (process.platform === "win32" ? "Windows has no FIFO files" : undefined),
  round: runAttackRound,
};

/** A surface on which tools are called. */
interface Surface {
  name: string;
  call(tool: string, input: object): Promise<Answer>;
}

async function runAttackRound({ seed, count }: Round): Promise<RoundReport> {
  const tempFolder = mkdtempSync(join(tmpdir(), "lectern-databases-"));
  const [home, root, outside] = ["home", "library", "outside"].map((name) =>
    join(tempFolder, name),
  );
  if (!home || !root || !outside) throw new Error("Could not create the folders.");
  for (const folder of [home, root, outside]) mkdirSync(folder);
  writeFileSync(join(root, "lamp.md"), "# Lamp\n\nThe keeper lights it.\n");
  const isForced = seed % 2 === 0;
  const flags = ["--root", root, ...(isForced ? ["--force-root", root] : [])];
  const env = { LECTERN_TOOL_TIMEOUT_MS: String(timeLimitMs) };
  const server = await startServer(home, flags, env);
  const agent = startAgent(home, flags, undefined, env);
  const report: RoundReport = { done: {}, losses: [] };
  try {
    await agent.initialize();
    const client = httpClientAt(server.url);
    await client.callAsPerson("POST", "/collections/add", { path: root, name: "library" });
    const surfaces = [overTools(server.url), await overMcp(server.url), overStdio(agent)];
    for (let number = 0; number < count; number++) {
      const file = hostileFiles[number % hostileFiles.length] as HostileFile;
      const surface = surfaces[(number + seed) % surfaces.length] as Surface;
      const victim = join(isForced ? outside : root, `victim ${number}.txt`);
      writeFileSync(victim, victimText);
      const path = join(root, `attack ${number}${file.extension}`);
      file.make(path, { victim });
      const reportLoss = (what: string) =>
        report.losses.push(
          `${file.name} over ${surface.name}${isForced ? ", with --force-root" : ""}: ${what}`,
        );
      const watch = pollServer(server.url, reportLoss);
      await attack({ file, path, surface, client, reportLoss });
      await watch.stop();
      if (contentsOf(victim) !== victimText) reportLoss("another file was touched");
      const { exitCode } = server.child;
      if (exitCode !== null) throw new Error(`The server ended with ${exitCode} at ${file.name}.`);
      const kind = `over ${file.extension === ".qda" ? surface.name : "imports"}`;
      report.done[kind] = (report.done[kind] ?? 0) + 1;
      rmSync(path, { recursive: true, force: true });
    }
    for (const { pid } of [server.child, agent.child]) {
      report.losses.push(...memoryLosses(Number(pid), maxBytes));
    }
    report.losses.push(...(await usableAfterwards(surfaces, root)));
  } finally {
    const stopped = await Promise.race([server.stop(), sleep(15_000).then(() => "late" as const)]);
    if (stopped === "late") {
      report.losses.push("SIGTERM did not end the server");
      server.child.kill("SIGKILL");
    }
    await agent.close();
    rmSync(tempFolder, { recursive: true, force: true });
  }
  return report;
}

interface AttackContext {
  file: HostileFile;
  path: string;
  surface: Surface;
  client: ReturnType<typeof httpClientAt>;
  reportLoss: (what: string) => void;
}

async function attack({ file, path, surface, client, reportLoss }: AttackContext): Promise<void> {
  const call = async (what: string, pending: Promise<Answer>): Promise<string> => {
    const start = performance.now();
    const answer = await pending;
    const ms = Math.round(performance.now() - start);
    const text = JSON.stringify(answer.body) ?? "";
    if (ms > timeoutMs) reportLoss(`${what} took ${ms} ms`);
    if (/internal error/i.test(text)) reportLoss(`${what} was answered ${text.slice(0, 200)}`);
    return text;
  };
  if (file.extension === ".sqlite3") {
    await call(
      "import_project",
      client
        .callAsPerson("POST", "/qualitative/projects/import", { file: path, path: `${path}.qda` })
        .then(
          (body) => ({ status: 200, body }),
          (error: Error) => ({ status: 0, body: error.message }),
        ),
    );
    return;
  }
  await call("open_project", surface.call("open_project", { path }));
  for (const [tool, input] of [
    ["get_project_context", {}],
    ["list_codes", {}],
    ["create_code", { name: `Attack ${Math.random()}`, color: "#00AA00" }],
    ["read_source_content", { source_id: 1 }],
  ] as const) {
    const text = await call(tool, surface.call(tool, input));
    if (text.includes(privateText)) reportLoss("a private source was shown");
  }
}

/** Sends ordinary requests until stopped; each must be answered promptly. */
function pollServer(url: string, reportLoss: (what: string) => void): { stop(): Promise<void> } {
  let isStopped = false;
  const probe = async (path: string, init?: RequestInit): Promise<void> => {
    const start = performance.now();
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(url + path, { ...init, signal });
      await response.arrayBuffer();
      const ms = Math.round(performance.now() - start);
      if (response.status !== 200) reportLoss(`${path} was answered ${response.status}`);
      if (ms > promptMs) reportLoss(`${path} took ${ms} ms`);
    } catch (error) {
      reportLoss(`${path} was not answered: ${String((error as Error).cause ?? error)}`);
    }
  };
  const search: RequestInit = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ arguments: { query: "lamp" } }),
  };
  const probing = (async () => {
    do {
      await Promise.all([probe("/health"), probe("/tools/search", search)]);
      await sleep(100);
    } while (!isStopped);
  })();
  return {
    async stop() {
      isStopped = true;
      await probing;
    },
  };
}

/** A valid project can be created and used afterwards. */
async function usableAfterwards(surfaces: readonly Surface[], root: string): Promise<string[]> {
  const losses: string[] = [];
  for (const { name, call } of surfaces) {
    const created = await call("create_project", {
      path: join(root, `Honest ${name.slice(1)}.qda`),
    });
    const text = JSON.stringify(created.body);
    if (!text.includes("source_count")) losses.push(`no project afterwards over ${name}: ${text}`);
  }
  return losses;
}

const overTools = (url: string): Surface => ({
  name: "/tools",
  call: (tool, input) => httpClientAt(url).send("POST", `/tools/${tool}`, { arguments: input }),
});

async function overMcp(url: string): Promise<Surface> {
  let session = "";
  let last = 0;
  const post = async (method: string, params: object, isNotice = false): Promise<Answer> => {
    const id = isNotice ? {} : { id: ++last };
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(session && { "mcp-session-id": session }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...id, method, params }),
    });
    session ||= response.headers.get("mcp-session-id") ?? "";
    return { status: response.status, body: await response.text() };
  };
  await post("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "attacker", version: "1" },
  });
  await post("notifications/initialized", {}, true);
  return {
    name: "/mcp",
    call: (tool, input) => post("tools/call", { name: tool, arguments: input }),
  };
}

const overStdio = (agent: ReturnType<typeof startAgent>): Surface => ({
  name: "stdio",
  call: async (tool, input) => ({ status: 200, body: await agent.call(tool, input) }),
});

function contentsOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
