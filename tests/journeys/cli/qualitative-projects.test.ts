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

/** A home with a folder to work in, in which a project `field/talks.qda` is made. */
async function withProject() {
  const home = freshHome();
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const work = join(home, "work");
  mkdirSync(join(work, "field"), { recursive: true });
  const shell = (words: readonly string[], cwd = work) => runProgram(words, { home, cwd });
  const made = await shell(["project", "create", "field/talks.qda"]);
  expect(made.code, made.stderr).toBe(0);
  return { home, work, shell, project: join(work, "field", "talks.qda") };
}

/** An agent on the project, gone at the latest when the test is. */
async function agentIn(home: string, project: string): Promise<Agent> {
  const agent = startAgent(home);
  onTestFinished(() => {
    agent.child.kill("SIGKILL");
  });
  await agent.greet();
  expect(await agent.call("open_project", { path: project })).not.toHaveProperty("isError", true);
  return agent;
}

/** What a tool of the shelf answered within its envelope. */
async function dataOf(agent: Agent, name: string, given: object = {}) {
  const { structuredContent } = await agent.call(name, given);
  const { data, error_code } = structuredContent as { data?: object; error_code?: string };
  return data ?? { error_code };
}

const codesOf = async (agent: Agent): Promise<string[]> =>
  ((await dataOf(agent, "list_codes")) as { name: string }[]).map(({ name }) => name);

test("[qualitative.journey.place] a project path on the command line is relative to the current folder, or to --root", async () => {
  const { work, shell } = await withProject();
  const elsewhere = join(work, "elsewhere");
  mkdirSync(elsewhere);

  for (const [cwd, ...words] of [
    [work, "--project", "field/talks.qda"],
    [work, "--project", "./field/talks.qda/"],
    [work, "--project", "field/talks.qda/data.qda"],
    [join(work, "field"), "--project", "talks.qda"],
    [elsewhere, "--project", "../field/talks.qda"],
    [elsewhere, "--root", "../field", "--project", "talks.qda"],
    [elsewhere, "--root", work, "--project", "field/talks.qda"],
  ] as const) {
    const reported = await shell(["project", "coders", ...words], cwd);
    expect([words, reported.stdout.trim(), reported.stderr]).toEqual([
      words,
      "default  0  (you)",
      "",
    ]);
  }
  for (const [cwd, ...words] of [
    [elsewhere, "--project", "talks.qda"],
    [work, "--root", elsewhere, "--project", "field/talks.qda"],
  ] as const) {
    const { code, stderr } = await shell(["project", "coders", ...words], cwd);
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining("Not found")]);
    expect(code).not.toBe(0);
  }
});

test("[qualitative.journey.processes] agents in two processes and a person on the command line share one project", async () => {
  const { home, shell, project } = await withProject();
  const [one, other] = await Promise.all([agentIn(home, project), agentIn(home, project)]);
  const names = Array.from({ length: 12 }, (_, at) => `Code ${at}`);
  await Promise.all(
    names.map((name, at) =>
      dataOf(at % 2 ? one : other, "create_code", { name, color: "#123456" }),
    ),
  );
  expect((await codesOf(one)).sort()).toEqual([...names].sort());
  expect(await codesOf(other)).toEqual(await codesOf(one));

  const undone = await shell(["project", "undo", "--steps", "5", "--project", project]);
  expect(undone.stdout.trim()).toBe("Undid 5 changes.");
  expect(await codesOf(one)).toHaveLength(7);
  await one.leave();
  const redone = await shell(["project", "redo", "--steps", "9", "--project", project]);
  expect(redone.stdout.trim()).toBe("Redid 5 changes.");
  expect(await codesOf(other)).toHaveLength(12);
});

test("[qualitative.journey.tokens] a token is valid in a new process, but not after a change of what it showed", async () => {
  const { home, project } = await withProject();
  const one = await agentIn(home, project);
  for (const name of ["A", "B"]) await dataOf(one, "create_code", { name, color: "#123456" });
  const tokenOf = async (code_id: number) =>
    ((await dataOf(one, "delete_code", { code_id })) as { preview_token: string }).preview_token;
  const [first, second] = [await tokenOf(1), await tokenOf(2)];
  await one.leave();

  const other = await agentIn(home, project);
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

/** A client of SDK v1 that passes questions on to a person who says this; without, it cannot ask. */
async function oldClient(
  place: { home: string; key: string } | { url: string },
  asked: string[],
  says?: Answer,
): Promise<Tool> {
  const client = new OldClient(introduction, {
    capabilities: says ? { elicitation: { form: {} } } : {},
  });
  if (says) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return says;
    });
  }
  const [command = "", ...args] = lectern;
  const transport =
    "url" in place
      ? new OldHttp(new URL(`${place.url}/mcp`))
      : new OldStdio({
          command,
          args: [...args, "mcp"],
          env: { LECTERN_HOME: place.home, LECTERN_CLIENT_KEY: place.key },
          stderr: "ignore",
        });
  // The SDK's own two types differ in whether a member that is absent may be undefined.
  await client.connect(transport as Parameters<OldClient["connect"]>[0]);
  onTestFinished(() => client.close());
  return (name, given) => client.callTool({ name, arguments: given });
}

/** The same of SDK v2, in the version whose questions are answers to a call that is made again. */
async function newClient(
  { home, key }: { home: string; key: string },
  asked: string[],
  says?: Answer,
): Promise<Tool> {
  const client = new NewClient(introduction, {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
    capabilities: says ? { elicitation: { form: {} } } : {},
  });
  if (says) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params.message);
      return says;
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

/** A project where folders need a yes, and a client that the person trusts, by its key. */
async function withRequiredYes() {
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
  "[qualitative.journey.elicitation] %s, which the person trusts, relays the question, and only a yes performs the call",
  async (_, meet) => {
    const { home, shell, project, key, proposals } = await withRequiredYes();
    for (const [says, ends] of [
      [
        { action: "accept", content: {} },
        { success: true, data: { name: "accept" } },
      ],
      [{ action: "decline" }, { success: false, error_code: "NOT_APPROVED" }],
      [{ action: "cancel" }, { success: false, error_code: "NOT_APPROVED" }],
    ] as [Answer, object][]) {
      const asked: string[] = [];
      const call = await meet({ home, key }, asked, says);
      await call("open_project", { path: project });
      const answer = await call("create_folder", { name: says.action, rationale: "To sort." });
      expect([says.action, answer.structuredContent]).toMatchObject([says.action, ends]);
      expect(asked).toEqual([expect.stringContaining(`'${says.action}'`)]);
    }
    expect(await proposals()).toBe(0);
    expect((await shell(["activity"])).stdout).toContain("approved through journey, trusted since");

    const call = await meet({ home, key }, []);
    await call("open_project", { path: project });
    const answer = await call("create_folder", { name: "none" });
    expect(answer.structuredContent).toMatchObject({ data: { status: "pending_approval" } });
    expect(await proposals()).toBe(1);
    expect((await call("list_folders", {})).structuredContent).toMatchObject({
      data: { folders: [{ name: "accept" }] },
    });
  },
);

test("[qualitative.trust.untrusted] a client without the key, or over HTTP, is not asked and approves nothing", async () => {
  const { home, project, key, proposals } = await withRequiredYes();
  const served = await startServer(home, [], { LECTERN_CLIENT_KEY: key });
  onTestFinished(async () => {
    await served.stop();
  });
  const yes: Answer = { action: "accept", content: {} };
  const asked: string[] = [];
  const untrusted = [
    await oldClient({ home, key: "" }, asked, yes),
    await newClient({ home, key: "guess" }, asked, yes),
    await oldClient({ url: served.url }, asked, yes),
  ];
  for (const [at, call] of untrusted.entries()) {
    await call("open_project", { path: project });
    const answer = await call("create_folder", { name: `Folder ${at}` });
    expect(answer.structuredContent).toMatchObject({ data: { status: "pending_approval" } });
    expect((await call("list_folders", {})).structuredContent).toMatchObject({
      data: { folders: [] },
    });
  }
  expect(asked).toEqual([]);
  expect(await proposals()).toBe(3);
});
