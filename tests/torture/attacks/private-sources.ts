import { linkSync, mkdirSync, mkdtempSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../../src/kernel/storage/database.ts";
import { runProgram, type Served, startServer } from "../../journeys/program.ts";
import { type HttpClient, httpClientAt } from "../http-client.ts";

/** Words that occur only in the texts, names and linked files of private sources. */
export const canaries = {
  text: "quokkaflint",
  name: "Zephyrine",
  linked: "marrowfen",
  linkedText: "ibisglade",
} as const;

/** An unused name with the length of the private one. */
export const unusedName = "Nonesuchx";

/** The number of the private source, of its linked sibling, and an unused one. */
export const numbers = { hidden: 1, linked: 2, missing: 7_777 } as const;

export interface PrivateSourcesFixture {
  server: Served;
  client: HttpClient;
  root: string;
  project: string;
  /** The events sent since the sources became private. */
  events(): string;
  close(): Promise<void>;
}

/**
 * A server that has a project open, and has read everything around it, before a person on the
 * command line marks two of its sources private. The project is named by folder or by database.
 */
export async function createPrivateSources({
  isNamed,
}: {
  isNamed: boolean;
}): Promise<PrivateSourcesFixture> {
  const tempFolder = mkdtempSync(join(tmpdir(), "lectern-private-"));
  const [home, root] = [join(tempFolder, "home"), join(tempFolder, "library")];
  for (const folder of [home, root, join(root, "notes", "docs", "adr"), join(root, "linked")]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(join(root, "notes", "readme.qmd.md"), "# Notes [[notes: __Workspace]]\n\nOpen.\n");
  writeFileSync(join(root, "notes", "README.md"), "# Notes\n\nSee [a](docs/adr/0001-open.md).\n");
  const record = (title: string, context: string) =>
    `# ${title}\n\n## Status\n\nAccepted\n\n## Context\n\n${context}\n`;
  writeFileSync(join(root, "notes", "docs", "adr", "0001-open.md"), record("1. Open", "Open."));
  const linked = join(root, "linked", `${canaries.linked}.qmd.md`);
  writeFileSync(linked, record(`2. ${canaries.linkedText}`, `An ${canaries.linkedText} flew.`));

  const server = await startServer(home, ["--root", root]);
  const client = httpClientAt(server.url);
  const created = join(root, "Study.qda");
  await client.callTool("create_project", { path: created });
  const content = `I hoped, and the ${canaries.text} doubted.`;
  await client.callTool("add_text_source", { name: canaries.name, content: content });
  await client.callTool("add_text_source", { name: `${canaries.linked}.qmd.md`, content: content });
  await client.callTool("add_text_source", { name: "Ben", content: "I hoped as well." });
  await client.callTool("create_code", { name: "Hope", color: "#00AA00" });
  await client.callTool("create_code", { name: "Doubt", color: "#AA0000" });
  const operations = [1, 2, 3].map((source_id) => ({ code_id: 1, source_id, quote: "hoped" }));
  await client.callTool("batch_apply_codes", { operations });
  await client.callTool("read_source_content", { source_id: 1 });
  await client.callTool("close_project");

  const project = isNamed ? created : join(root, "study");
  if (!isNamed) renameSync(created, project);
  const db = openDatabase(join(project, "data.qda"), { journal: "rollback" });
  db.run("UPDATE source SET mediapath = ? WHERE id = 1", `/docs/${canaries.name}.md`);
  db.run("UPDATE source SET mediapath = ? WHERE id = 2", `docs:${linked}`);
  db.close();
  const linkedNames = [`${canaries.name}.md`, `${canaries.name}.qmd.md`, `${canaries.name}.txt`];
  for (const linkedName of linkedNames) {
    writeFileSync(join(project, "documents", linkedName), `# ${canaries.name}\n\n${content}\n`);
  }
  linkSync(join(project, "documents", `${canaries.name}.md`), join(root, "notes", "hard-link.md"));
  symlinkSync(join(project, "documents", `${canaries.name}.md`), join(root, "notes", "way.md"));
  symlinkSync(join(project, "documents"), join(root, "alias"));
  linkSync(linked, join(root, "notes", "docs", "adr", "0002-link.md"));
  await client.callTool("open_project", { path: project });
  await client.callTool("suggest_source_metadata", {
    source_id: 1,
    organization_suggestion: canaries.text,
    rationale: `It says ${canaries.text}.`,
  });
  await client.callAsPerson("POST", "/collections/add", {
    path: join(root, "linked"),
    name: "linked",
  });
  await client.callAsPerson("POST", "/collections/add", {
    path: join(root, "notes"),
    name: "notes",
  });
  for (const [tool, input] of callsBefore(root)) await client.callTool(tool, input);

  const stream = await listenTo(server.url);
  for (const source of [numbers.hidden, numbers.linked]) {
    const args = ["project", "private", String(source), "--project", project];
    const { code, stderr } = await runProgram(args, { home, cwd: root });
    if (code !== 0) throw new Error(`The source could not be marked: ${stderr}`);
  }
  return {
    server,
    client,
    root,
    project,
    events: stream.text,
    async close() {
      stream.close();
      await server.stop();
    },
  };
}

/** Calls before the sources become private: cached results must not expose them afterwards. */
const callsBefore = (root: string): [string, object][] => [
  ["search", { query: canaries.linkedText }],
  ["read_source_content", { source_id: 1 }],
  ["qmdc_dump_index", { path: join(root, "linked") }],
  ["read_directory", { path: join(root, "linked") }],
  ["analyze_repository", { path: root, depth: "standard" }],
];

async function listenTo(url: string): Promise<{ text(): string; close(): void }> {
  const stop = new AbortController();
  const response = await fetch(`${url}/events`, {
    headers: { accept: "text/event-stream" },
    signal: stop.signal,
  });
  let events = "";
  const decoder = new TextDecoder();
  const collect = async (): Promise<void> => {
    for await (const chunk of response.body ?? []) events += decoder.decode(chunk);
  };
  collect().catch(() => undefined);
  return { text: () => events, close: () => stop.abort() };
}
