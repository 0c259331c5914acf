import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Client as NewClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, onTestFinished, test } from "vitest";
import { freshHome, lectern, runProgram, startServer } from "../program.ts";
import { type Agent, startAgent } from "../stdio-agent.ts";

/** A home and a working folder with a new project `field/talks.qda`. */
async function withProject() {
  const home = freshHome();
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const workFolder = join(home, "work");
  mkdirSync(join(workFolder, "field"), { recursive: true });
  const shell = (args: readonly string[], cwd = workFolder) => runProgram(args, { home, cwd });
  const created = await shell(["project", "create", "field/talks.qda"]);
  expect(created.code, created.stderr).toBe(0);
  return { home, workFolder, shell, project: join(workFolder, "field", "talks.qda") };
}

/** Starts an agent on the project and stops it after the test. */
async function startProjectAgent(home: string, project: string): Promise<Agent> {
  const agent = startAgent(home);
  onTestFinished(() => {
    agent.child.kill("SIGKILL");
  });
  await agent.initialize();
  expect(await agent.call("open_project", { path: project })).not.toHaveProperty("isError", true);
  return agent;
}

/** The data in the envelope of a tool result. */
async function dataOf(agent: Agent, name: string, args: object = {}) {
  const { structuredContent } = await agent.call(name, args);
  const { data, error_code } = structuredContent as { data?: object; error_code?: string };
  return data ?? { error_code };
}

const codesOf = async (agent: Agent): Promise<string[]> =>
  ((await dataOf(agent, "list_codes")) as { name: string }[]).map(({ name }) => name);

test("[qualitative.journey.place] a project path on the command line is relative to the current folder, or to --root", async () => {
  const { workFolder, shell } = await withProject();
  const elsewhere = join(workFolder, "elsewhere");
  mkdirSync(elsewhere);

  for (const [cwd, ...args] of [
    [workFolder, "--project", "field/talks.qda"],
    [workFolder, "--project", "./field/talks.qda/"],
    [workFolder, "--project", "field/talks.qda/data.qda"],
    [join(workFolder, "field"), "--project", "talks.qda"],
    [elsewhere, "--project", "../field/talks.qda"],
    [elsewhere, "--root", "../field", "--project", "talks.qda"],
    [elsewhere, "--root", workFolder, "--project", "field/talks.qda"],
  ] as const) {
    const coders = await shell(["project", "coders", ...args], cwd);
    expect([args, coders.stdout.trim(), coders.stderr]).toEqual([args, "default  0  (you)", ""]);
  }
  for (const [cwd, ...args] of [
    [elsewhere, "--project", "talks.qda"],
    [workFolder, "--root", elsewhere, "--project", "field/talks.qda"],
  ] as const) {
    const { code, stderr } = await shell(["project", "coders", ...args], cwd);
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining("Not found")]);
    expect(code).not.toBe(0);
  }
});

test("[qualitative.journey.processes] agents in two processes and a person on the command line share one project", async () => {
  const { home, shell, project } = await withProject();
  const [one, other] = await Promise.all([
    startProjectAgent(home, project),
    startProjectAgent(home, project),
  ]);
  const names = Array.from({ length: 12 }, (_, index) => `Code ${index}`);
  await Promise.all(
    names.map((name, index) =>
      dataOf(index % 2 ? one : other, "create_code", { name, color: "#123456" }),
    ),
  );
  expect((await codesOf(one)).sort()).toEqual([...names].sort());
  expect(await codesOf(other)).toEqual(await codesOf(one));

  const undone = await shell(["project", "undo", "--steps", "5", "--project", project]);
  expect(undone.stdout.trim()).toBe("Undid 5 changes.");
  expect(await codesOf(one)).toHaveLength(7);
  await one.close();
  const redone = await shell(["project", "redo", "--steps", "9", "--project", project]);
  expect(redone.stdout.trim()).toBe("Redid 5 changes.");
  expect(await codesOf(other)).toHaveLength(12);
});

test("[qualitative.journey.tokens] a preview token is valid in a new process, but not after its data has changed", async () => {
  const { home, project } = await withProject();
  const one = await startProjectAgent(home, project);
  for (const name of ["A", "B"]) await dataOf(one, "create_code", { name, color: "#123456" });
  const tokenOf = async (code_id: number) =>
    ((await dataOf(one, "delete_code", { code_id })) as { preview_token: string }).preview_token;
  const [first, second] = [await tokenOf(1), await tokenOf(2)];
  await one.close();

  const other = await startProjectAgent(home, project);
  const deletion = (code_id: number, preview_token: string) =>
    dataOf(other, "delete_code", { code_id, confirm: true, preview_token });
  expect(await deletion(2, first)).toMatchObject({ error_code: "PREVIEW_STALE" });
  await dataOf(other, "update_code", { code_id: 2, memo: "Changed since" });
  expect(await deletion(2, second)).toMatchObject({ error_code: "PREVIEW_STALE" });
  expect(await deletion(1, first)).toMatchObject({ deleted: true });
  expect(await deletion(1, first)).toMatchObject({ error_code: "CODE_NOT_FOUND" });
});

type Answer =
  | { action: "accept"; content: Record<string, never> }
  | { action: "decline" | "cancel" };

const introduction = { name: "journey", version: "1" };

type Tool = (name: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** A client of SDK v1. With an answer it supports elicitation, and returns that answer. */
async function oldClient(
  server: { home: string; key: string } | { url: string },
  questions: string[],
  answer?: Answer,
): Promise<Tool> {
  const client = new OldClient(introduction, {
    capabilities: answer ? { elicitation: { form: {} } } : {},
  });
  if (answer) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message);
      return answer;
    });
  }
  const [command = "", ...args] = lectern;
  const transport =
    "url" in server
      ? new OldHttp(new URL(`${server.url}/mcp`))
      : new OldStdio({
          command,
          args: [...args, "mcp"],
          env: { LECTERN_HOME: server.home, LECTERN_CLIENT_KEY: server.key },
          stderr: "ignore",
        });
  // The SDK's types are incompatible under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<OldClient["connect"]>[0]);
  onTestFinished(() => client.close());
  return (name, given) => client.callTool({ name, arguments: given });
}

/** The same with SDK v2, in the protocol version in which a call is repeated with the answers. */
async function newClient(
  { home, key }: { home: string; key: string },
  questions: string[],
  answer?: Answer,
): Promise<Tool> {
  const client = new NewClient(introduction, {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
    capabilities: answer ? { elicitation: { form: {} } } : {},
  });
  if (answer) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      questions.push(params.message);
      return answer;
    });
  }
  const [command = "", ...args] = lectern;
  await client.connect(
    new NewStdio({
      command,
      args: [...args, "mcp"],
      env: { LECTERN_HOME: home, LECTERN_CLIENT_KEY: key },
      stderr: "ignore",
    }),
  );
  onTestFinished(() => client.close());
  return (name, given) => client.callTool({ name, arguments: given });
}

const clients = { "SDK v1 over stdio": oldClient, "SDK v2 over stdio": newClient };

/** A project in which creating folders requires approval, and a client trusted by its key. */
async function setUpApproval() {
  const { home, shell, project } = await withProject();
  const set = await shell(["project", "policy", "set", "create_folder", "require"]);
  expect(set.code, set.stderr).toBe(0);
  const trusted = await shell(["project", "policy", "trust", "journey", "--json"]);
  const { key } = JSON.parse(trusted.stdout) as { key: string };
  const proposals = async () =>
    (JSON.parse((await shell(["proposals", "--json"])).stdout) as { total: number }).total;
  return { home, shell, project, key, proposals };
}

test.each(Object.entries(clients))(
  "[qualitative.journey.elicitation] with %s as a trusted client, only an accepted question performs the call",
  async (_, connect) => {
    const { home, shell, project, key, proposals } = await setUpApproval();
    for (const [reply, outcome] of [
      [
        { action: "accept", content: {} },
        { success: true, data: { name: "accept" } },
      ],
      [{ action: "decline" }, { success: false, error_code: "NOT_APPROVED" }],
      [{ action: "cancel" }, { success: false, error_code: "NOT_APPROVED" }],
    ] as [Answer, object][]) {
      const questions: string[] = [];
      const call = await connect({ home, key }, questions, reply);
      await call("open_project", { path: project });
      const answer = await call("create_folder", { name: reply.action, rationale: "To sort." });
      expect([reply.action, answer.structuredContent]).toMatchObject([reply.action, outcome]);
      expect(questions).toEqual([expect.stringContaining(`'${reply.action}'`)]);
    }
    expect(await proposals()).toBe(0);
    expect((await shell(["activity"])).stdout).toContain("approved through journey, trusted since");

    const call = await connect({ home, key }, []);
    await call("open_project", { path: project });
    const answer = await call("create_folder", { name: "none" });
    expect(answer.structuredContent).toMatchObject({ data: { status: "pending_approval" } });
    expect(await proposals()).toBe(1);
    expect((await call("list_folders", {})).structuredContent).toMatchObject({
      data: { folders: [{ name: "accept" }] },
    });
  },
);

test("[qualitative.trust.untrusted] a client without the key, or over HTTP, is not asked and cannot approve", async () => {
  const { home, project, key, proposals } = await setUpApproval();
  const server = await startServer(home, [], { LECTERN_CLIENT_KEY: key });
  onTestFinished(async () => {
    await server.stop();
  });
  const yes: Answer = { action: "accept", content: {} };
  const questions: string[] = [];
  const untrusted = [
    await oldClient({ home, key: "" }, questions, yes),
    await newClient({ home, key: "guess" }, questions, yes),
    await oldClient({ url: server.url }, questions, yes),
  ];
  for (const [index, call] of untrusted.entries()) {
    await call("open_project", { path: project });
    const answer = await call("create_folder", { name: `Folder ${index}` });
    expect(answer.structuredContent).toMatchObject({ data: { status: "pending_approval" } });
    expect((await call("list_folders", {})).structuredContent).toMatchObject({
      data: { folders: [] },
    });
  }
  expect(questions).toEqual([]);
  expect(await proposals()).toBe(3);
});
