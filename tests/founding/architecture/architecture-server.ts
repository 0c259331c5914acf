import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { startBridge } from "../../../src/surfaces/bridge/bridge.ts";
import { childSource } from "../../child-source.ts";
import { startProcess } from "../../programs/process.ts";
import { lineQueue } from "../../programs/wire.ts";

/** The architecture shelf on stdin and stdout, as served by the program. */
const server = childSource(`
  import { openApp } from "./src/kernel/runtime/app.ts";
  import { createLog } from "./src/kernel/runtime/log.ts";
  import { readSettings } from "./src/kernel/home/settings.ts";
  import { serveAgent } from "./src/commands/serving/mcp.ts";
  import { architecture } from "./src/shelves/architecture/shelf.ts";
  import { claimStdout } from "./src/surfaces/mcp/transport/stdio.ts";

  const output = claimStdout();
  const [root, logLevel] = process.argv.slice(2);
  const settings = readSettings({ root, logLevel }, process.env, process.cwd());
  const app = openApp({
    shelves: [architecture],
    settings,
    identity: { name: "lectern", title: "Lectern", version: "0" },
    log: createLog({ level: settings.logLevel, debug: settings.debug, write: (line) => process.stderr.write(line) }),
  });
  await serveAgent(app, output);
  await app.close();
  process.exit(0);
`);

/** A root with these files, and a separate home. */
export function createProject(files: Record<string, string>) {
  const home = mkdtempSync(join(tmpdir(), "lectern-project-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const root = join(home, "project");
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  return { root, home: join(home, "home"), write };
}

/** A copy of the sample's architecture documents. */
export function createSampleProject() {
  const project = createProject({});
  cpSync(new URL("../../../sample/mcp", import.meta.url), join(project.root, "mcp"), {
    recursive: true,
  });
  return project;
}

interface ProjectFolder {
  root: string;
  home: string;
}

const commandFor = ({ root }: ProjectFolder, logLevel: string): string[] => [
  process.execPath,
  server,
  root,
  logLevel,
];

export function startStdio(
  project: ProjectFolder,
  logLevel = "info",
  env: Record<string, string> = {},
) {
  const started = startProcess(commandFor(project, logLevel), {
    LECTERN_HOME: project.home,
    ...env,
  });
  onTestFinished(async () => {
    started.child.kill();
    await started.ended;
  });
  return { ...started, send: (text: string) => started.child.stdin.write(text) };
}

/** A client of a bridge, which starts a server process for it. */
export async function connectByBridge(project: ProjectFolder) {
  const log = Object.assign(() => {}, { trace: () => {} });
  const before = process.env.LECTERN_HOME;
  process.env.LECTERN_HOME = project.home;
  const bridge = await startBridge({ command: commandFor(project, "info"), port: 0, log });
  const socket = createConnection({ port: bridge.port, host: "127.0.0.1" });
  onTestFinished(async () => {
    socket.destroy();
    await bridge.close();
    if (before === undefined) delete process.env.LECTERN_HOME;
    else process.env.LECTERN_HOME = before;
  });
  await once(socket, "connect");
  return { ...lineQueue(socket), send: (text: string) => socket.write(text) };
}
