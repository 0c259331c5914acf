import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hostileArchives } from "../../fixtures/files/hostile-archives.ts";
import { createZip } from "../../fixtures/files/made-files.ts";
import { badPaths } from "../../fixtures/inputs/bad-paths.ts";
import { naughtyStrings } from "../../fixtures/inputs/naughty-strings.ts";
import { randomNumbers } from "../../fixtures/random-numbers.ts";
import { sqlCampaign } from "../../fixtures/sql/sql-campaign.ts";
import { startServer } from "../../journeys/program.ts";
import type { Campaign, Round, RoundReport } from "../campaign.ts";
import { type Answer, type HttpClient, httpClientAt } from "../http-client.ts";
import { memoryLosses } from "../process-memory.ts";
import { hostileDocuments, hostileNames, hostilePatterns } from "./hostile-lists.ts";

const maxBytes = 800 * 2 ** 20;
/** The maximum time of a call on a busy machine; hostile input has a much lower limit. */
const maxMs = 45_000;
const secret = "the-keeper-of-the-north-lamp";

/** Hostile input: every call must be answered or refused, and expose nothing outside. */
export const hostile: Campaign = {
  name: "hostile",
  unit: "attacks",
  counts: { ci: 600, default: 1_200, long: 100_000 },
  roundOf: 100,
  async round(round) {
    if (round.seed % 6 === 5) return attackBySql(round);
    return attackServer(round);
  },
};

async function attackBySql({ seed, count }: Round): Promise<RoundReport> {
  const { violations } = await sqlCampaign(seed, count);
  return { done: { "by SQL": count }, losses: violations };
}

/** One kind of attack on a server. */
type Attack = (target: AttackTarget) => Promise<{ request: string; answer: Answer }>;

interface AttackTarget {
  client: HttpClient;
  url: string;
  root: string;
  pick: <Item>(items: readonly Item[]) => Item;
  archives: readonly (readonly [string, Uint8Array])[];
}

const attacks: Record<string, Attack> = {
  "by paths": async ({ client, pick }) => {
    const path = pick(badPaths.lines);
    const [name, input] = pick([
      ["get", { file: path }],
      ["multi_get", { pattern: path }],
      ["open_project", { path }],
      ["create_project", { path: `${path}.qda` }],
      ["import_file_source", { file_path: path }],
      ["read_directory", { path }],
      ["analyze_repository", { path, depth: "quick" }],
      ["qmdc_dump_index", { path }],
      ["qmdc_query_sql", { path, sql: "SELECT 1" }],
      ["sync_code_to_docs", { projectPath: path }],
    ] as const);
    return withDescription(
      `${name} ${path}`,
      client.send("POST", `/tools/${name}`, { arguments: input }),
    );
  },
  "by patterns": async ({ client, pick }) => {
    const pattern = pick(hostilePatterns);
    const [name, input] = pick([
      ["auto_code_pattern", { code_id: 1, pattern, match_type: "regex", dry_run: true }],
      ["multi_get", { pattern }],
      ["search", { query: pattern }],
      ["search", { query: "lamp", path: pattern }],
    ] as const);
    return withDescription(
      `${name} ${pattern}`,
      client.send("POST", `/tools/${name}`, { arguments: input }),
    );
  },
  "by strings": async ({ client, pick }) => {
    const text = pick(naughtyStrings().strings);
    const [name, input] = pick([
      ["search", { query: text }],
      ["create_code", { name: text, color: text }],
      ["add_text_source", { name: text, content: text }],
      ["create_folder", { name: text }],
      [text, { [text]: text }],
      ["propose-decision", { kind: "new", title: text }],
    ] as const);
    const path = `/tools/${encodeURIComponent(name.toWellFormed())}`;
    return withDescription(`${name} ${text}`, client.send("POST", path, { arguments: input }));
  },
  "by archives": async ({ client, root, pick, archives }) => {
    const [name, bytes] = pick(archives);
    const file = join(root, `attack-${Date.now()}.${pick(["qdpx", "docx", "odt", "epub"])}`);
    writeFileSync(file, bytes);
    const input = file.endsWith("qdpx")
      ? client.callAsPerson("POST", "/qualitative/projects/import", { file, path: `${file}.qda` })
      : client.send("POST", "/tools/import_file_source", { arguments: { file_path: file } });
    return withDescription(`${name} as ${file.split(".").at(-1)}`, answerOrRefusal(input));
  },
  "by documents": async ({ client, root, pick }) => {
    const [name, text] = pick(Object.entries(hostileDocuments));
    const file = join(root, `attack-${Date.now()}.${name.split(".").at(-1)}`);
    writeFileSync(file, name.endsWith("qdpx") ? await createZip({ "project.qde": text }) : text);
    const input = /qd(c|px)$/.test(name)
      ? client.callAsPerson("POST", "/qualitative/projects/import", { file, path: `${file}.qda` })
      : client.send("POST", "/tools/import_file_source", { arguments: { file_path: file } });
    return withDescription(name, answerOrRefusal(input));
  },
  "by Host and Origin": async ({ url, pick }) => {
    const name = pick(hostileNames);
    const header = pick(["host", "origin"] as const);
    const value = header === "host" ? name : `${pick(["http://", "https://", ""])}${name}`;
    const answer = await requestStatus(url, { [header]: value });
    const isRefused = [400, 403].includes(answer.status);
    return {
      request: `${header}: ${value}`,
      answer: isRefused ? answer : { ...answer, status: 599 },
    };
  },
};

async function attackServer({ seed, count }: Round): Promise<RoundReport> {
  const random = randomNumbers(seed);
  const tempFolder = mkdtempSync(join(tmpdir(), "lectern-hostile-"));
  const [home, root] = [join(tempFolder, "home"), join(tempFolder, "library")];
  for (const folder of [home, root]) mkdirSync(folder);
  writeFileSync(join(tempFolder, "secret.md"), `# Outside\n\n${secret}\n`);
  writeFileSync(join(root, "inside.md"), `# Inside\n\n${"a".repeat(3_000)}\n`);
  const { url, child, stop } = await startServer(home, ["--root", root, "--force-root", root]);
  const client = httpClientAt(url);
  const report: RoundReport = { done: {}, losses: [] };
  const pick = <Item>(items: readonly Item[]): Item =>
    // No list here is empty.
    items[Math.floor(random() * items.length)] as Item;
  try {
    await client.callAsPerson("POST", "/collections/add", { path: root, name: "inside" });
    await client.callTool("create_project", { path: "first.qda" });
    await client.callTool("add_text_source", { name: "Ana", content: "a".repeat(20_000) });
    await client.callTool("create_code", { name: "Hope", color: "#00AA00" });
    const target = { client, url, root, pick, archives: await hostileArchives() };
    for (let number = 0; number < count; number++) {
      const [kind, attack] = pick(Object.entries(attacks));
      const start = performance.now();
      const { request: description, answer } = await attack(target);
      const ms = performance.now() - start;
      report.done[kind] = (report.done[kind] ?? 0) + 1;
      const reportLoss = (what: string) =>
        report.losses.push(`${kind}, ${JSON.stringify(description).slice(0, 200)}: ${what}`);
      const text = JSON.stringify(answer.body) ?? "";
      if (answer.status >= 500) reportLoss(`${answer.status} ${text.slice(0, 200)}`);
      if (text.includes(secret) || text.includes("root:x:0"))
        reportLoss("it exposes data outside the root");
      if (ms > maxMs) reportLoss(`it took ${Math.round(ms)} ms`);
    }
    const { status } = await client.send("GET", "/status");
    if (status !== 200) report.losses.push(`afterwards /status is answered ${status}`);
    report.losses.push(...memoryLosses(Number(child.pid), maxBytes));
  } finally {
    await stop();
    rmSync(tempFolder, { recursive: true, force: true });
  }
  return report;
}

async function withDescription(
  request: string,
  response: Promise<Answer>,
): Promise<{ request: string; answer: Answer }> {
  return { request, answer: await response };
}

/** The answer to a person's request, whether refused or not. */
const answerOrRefusal = (response: Promise<unknown>): Promise<Answer> =>
  response.then(
    (body) => ({ status: 200, body }),
    (error: { status?: number; message: string }) => ({
      status: error.status ?? 599,
      body: error.message,
    }),
  );

/** Uses `node:http`, since `fetch` does not allow setting Host and Origin. */
function requestStatus(url: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve) => {
    const onError = (error: unknown) => resolve({ status: 400, body: String(error) });
    try {
      const response = request(`${url}/status`, { headers }, (response) => {
        response.resume();
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: "" }));
      });
      response.on("error", onError);
      response.end();
    } catch (error) {
      onError(error);
    }
  });
}
