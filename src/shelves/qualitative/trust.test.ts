import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { waysInto } from "../../../tests/contract/ways-in.ts";
import { outcomeOf } from "../../../tests/fixtures/named-call.ts";
import {
  databaseOf,
  interviewLibrary,
  type ProjectLibrary,
  projectShelves,
} from "../../../tests/fixtures/project-library.ts";
import type { Answer, CallOptions } from "../../kernel/call.ts";
import { qualitative } from "./shelf.ts";

const person = { surface: "cli" };
const agent = { surface: "mcp", client: "claude" };

/** Every row of the project that is not about the changes themselves. */
function rowsOf(root: string): unknown {
  const db = databaseOf(`${root}/interviews.qda/data.qda`);
  const tables = ["source", "code_name", "code_cat", "code_text", "lectern_folders"];
  return [...tables, "lectern_sources"].map((table) => db.all(`SELECT * FROM ${table}`));
}

const tighten = ({ call }: ProjectLibrary, operation: string, tier: string, name = "*") =>
  call("set_policy", { operation, tier, agent: name }, person);

test("[qualitative.trust.tiers] an agent acts, acts and it is told, or proposes, by the operation's tier", async () => {
  const opened = await interviewLibrary();
  const { call, notices } = opened;
  const acted = () => notices.filter(({ topic }) => topic === "agent.acted").length;
  const told = acted();

  await tighten(opened, "create_folder", "autonomous");
  await call("create_folder", { name: "A" }, agent);
  expect(acted()).toBe(told);

  await tighten(opened, "create_folder", "notify");
  await call("create_folder", { name: "B" }, agent);
  expect(acted()).toBe(told + 1);

  for (const tier of ["suggest", "require"]) {
    await tighten(opened, "create_folder", tier);
    expect(await call("create_folder", { name: `C ${tier}` }, agent)).toMatchObject({
      status: "pending_approval",
      requires_approval: true,
      proposal_id: expect.any(Number),
    });
  }
  expect((await call("list_folders")).total_count).toBe(4);
  expect(await call("create_folder", { name: "D" }, person)).toMatchObject({ name: "D" });
});

test("[qualitative.trust.agents] a rule for one agent is stricter than the rule for all, never freer", async () => {
  const opened = await interviewLibrary();
  const tierFor = async (name: string) => {
    const { operations } = await opened.call("list_policy", { agent: name });
    return (operations as { operation: string; tier: string }[]).find(
      ({ operation }) => operation === "create_code",
    )?.tier;
  };
  await tighten(opened, "*", "suggest");
  await tighten(opened, "*", "autonomous", "claude");
  expect(await tierFor("claude")).toBe("suggest");

  await tighten(opened, "create_code", "notify");
  await tighten(opened, "create_code", "require", "claude");
  expect(await tierFor("CLAUDE")).toBe("require");
  expect(await tierFor("another")).toBe("notify");

  await tighten(opened, "create_code", "usual", "claude");
  expect(await tierFor("claude")).toBe("notify");
});

test("[qualitative.trust.policy-undo] a change of the policy is in the log and is undone", async () => {
  const opened = await interviewLibrary();
  const { rules } = await tighten(opened, "delete_code", "require");
  expect(rules).toEqual([{ operation: "delete_code", agent: "*", tier: "require" }]);

  const { changes } = await opened.call("activity");
  const [latest] = changes as { id: number; summary: string }[];
  await opened.call("undo_change", { id: latest?.id }, person);
  expect((await opened.call("list_policy")).rules).toEqual([]);
});

test("[qualitative.trust.one-place] with everything suggested, no tool writes and each is performed by a yes", async () => {
  const writing = qualitative.operations.filter(
    ({ effect, expose }) => (effect === "writes" || effect === "deletes") && expose.mcp,
  );
  expect(writing.length).toBeGreaterThan(12);
  for (const { name, example, input } of writing) {
    const opened = await interviewLibrary();
    const talk = `${example.speaker ?? "Kim"}: I hoped.\nDavid: I waited.\n`;
    await opened.call("add_text_source", { name: "Talk", content: talk });
    await tighten(opened, "*", "suggest");
    const before = rowsOf(opened.root);
    writeFileSync(join(opened.root, "new.txt"), "I hoped, too.");
    const confirmed = {
      ...example,
      ...("confirm" in input.shape && { confirm: true }),
      ...("dry_run" in input.shape && { dry_run: false }),
      ...("file_path" in input.shape && { file_path: join(opened.root, "new.txt") }),
    };
    const answer = await opened.call(name, confirmed, agent);
    expect([name, answer]).toMatchObject([name, { status: "pending_approval" }]);
    expect([name, rowsOf(opened.root)]).toEqual([name, before]);

    const id = answer.proposal_id;
    expect([name, await opened.call("accept_proposal", { id }, person)]).toMatchObject([
      name,
      { status: "accepted" },
    ]);
    if (name !== "create_project") expect([name, rowsOf(opened.root)]).not.toEqual([name, before]);
  }
});

test("[qualitative.trust.preview] looking at what would happen needs nobody's leave", async () => {
  const opened = await interviewLibrary();
  await tighten(opened, "*", "require");

  expect(await opened.call("remove_source", { source_id: 1 }, agent)).toMatchObject({
    preview: true,
    coded_segments_count: 1,
  });
});

test("[qualitative.trust.reasons] a proposal carries the agent's reasons, and its end is told to the agent", async () => {
  const opened = await interviewLibrary();
  await tighten(opened, "create_code", "suggest");
  const wish = { name: "Doubt", color: "#123456", rationale: "It is often said.", confidence: 80 };
  const { proposal_id: id } = await opened.call("create_code", wish, agent);
  const again = await opened.call("create_code", wish, agent);
  expect(again.proposal_id).toBe(id);

  const { proposals } = await opened.call("proposals");
  expect(proposals).toMatchObject([
    { id, rationale: "It is often said.", confidence: 80, status: "pending" },
  ]);
  await opened.call("reject_proposal", { id, reason: "We have that one." }, person);
  expect(await opened.call("get_project_context", {}, agent)).toMatchObject({
    proposals: [{ id, status: "rejected", reason: "We have that one." }],
  });
  expect(
    await opened.call("get_project_context", {}, { ...agent, client: "b" }),
  ).not.toHaveProperty("proposals");
});

test("[qualitative.trust.hopeless] what cannot be done fails at once and waits for nobody", async () => {
  const opened = await interviewLibrary();
  await tighten(opened, "*", "suggest");
  const failure = opened.call("create_code", { name: "hope", color: "#123456" }, agent);

  await expect(failure).rejects.toMatchObject({ code: "CODE_NOT_CREATED/DUPLICATE_NAME" });
  expect((await opened.call("proposals")).total).toBe(0);
});

test("[qualitative.trust.accepted] a yes in another process writes in the agent's name", async () => {
  const opened = await interviewLibrary();
  await tighten(opened, "batch_apply_codes", "suggest");
  const operations = [{ code_id: 2, source_id: 1, quote: "doubted" }];
  const { proposal_id: id } = await opened.call("batch_apply_codes", { operations }, agent);
  await opened.beside().call("accept_proposal", { id }, person);

  const { segments } = await opened.call("list_segments_for_source", { source_id: 1 });
  expect(segments).toMatchObject([{ owner: "AI Agent" }, { owner: "claude", code_id: 2 }]);
});

test("[qualitative.trust.stale] a yes to a deletion does what was shown, or nothing", async () => {
  const opened = await interviewLibrary();
  await tighten(opened, "delete_code", "suggest");
  const wish = { code_id: 1, delete_segments: true, confirm: true };
  const { proposal_id: id } = await opened.call("delete_code", wish, agent);
  const operations = [{ code_id: 1, source_id: 1, quote: "doubted" }];
  await opened.call("batch_apply_codes", { operations }, person);

  const yes = opened.call("accept_proposal", { id }, person);
  await expect(yes).rejects.toMatchObject({ code: "PREVIEW_STALE" });
  expect((await opened.call("proposals")).proposals).toMatchObject([{ id, status: "pending" }]);
  expect((await opened.call("list_codes")).codes).toHaveLength(2);
});

const approving = (action: "accept" | "decline"): Record<string, Answer> => ({
  approval: { kind: "form", action, content: {} },
});

/** A library where folders need a yes, and a way to ask for one through a client. */
async function requiringFolders() {
  const opened = await interviewLibrary();
  await tighten(opened, "create_folder", "require");
  const ask = (more: Partial<CallOptions> = {}) =>
    outcomeOf(
      opened.library,
      "create_folder",
      { name: "C" },
      {
        actor: agent,
        canAsk: () => true,
        ...more,
      },
    );
  const folders = async () => (await opened.call("list_folders")).total_count;
  return { ...opened, ask, folders };
}

test("[qualitative.trust.elicitation] where a yes is required, a client that the person trusts relays the question", async () => {
  const { call, ask, folders } = await requiringFolders();
  const { key, since } = await call("trust_client", { client: "claude" }, person);
  const trusted = { clientKey: String(key) };
  const asked = await ask(trusted);
  if (asked.ok || asked.failure) throw new Error("Nothing was asked.");
  const { memory } = asked;
  expect(asked.questions.approval).toMatchObject({ message: expect.stringContaining("'C'") });
  expect(await ask({ ...trusted, memory, answers: approving("decline") })).toMatchObject({
    failure: { code: "NOT_APPROVED" },
  });
  expect(await ask({ ...trusted, answers: approving("accept") })).toMatchObject({
    value: { status: "pending_approval" },
  });
  expect(await folders()).toBe(2);

  expect(await ask({ ...trusted, memory, answers: approving("accept") })).toMatchObject({
    value: { name: "C" },
  });
  expect(await folders()).toBe(3);
  expect((await call("activity", { limit: 2 })).changes).toMatchObject([
    {
      operation: "create_folder",
      actor: agent,
      approval: { how: "elicitation", client: "claude", trusted_since: since },
    },
    { operation: "trust_client" },
  ]);
});

test("[qualitative.trust.untrusted] an answer of the agent's own client approves nothing, whatever it calls itself", async () => {
  const { call, ask, folders } = await requiringFolders();
  const { key } = await call("trust_client", { client: "editor" }, person);
  const memory = JSON.stringify(["create_folder", { name: "C" }, null]);
  for (const client of ["claude", "editor", "Editor", " editor", "editor\u200b", "*", ""]) {
    for (const clientKey of [
      undefined,
      "",
      "guess",
      client === "editor" ? undefined : String(key),
    ]) {
      const outcome = await ask({
        actor: { surface: "mcp", client },
        clientKey,
        memory,
        answers: approving("accept"),
      });
      expect([client, clientKey, outcome]).toMatchObject([
        client,
        clientKey,
        { ok: true, value: { status: "pending_approval" } },
      ]);
    }
  }
  expect(await folders()).toBe(2);
  expect((await call("proposals", {}, person)).total).toBeGreaterThan(0);
});

test("[qualitative.trust.untrusted] a client is trusted no more once the person says so, and no agent can say it is", async () => {
  const { call, ask } = await requiringFolders();
  const { key } = await call("trust_client", { client: "claude" }, person);
  expect((await call("list_policy")).trusted).toMatchObject([{ client: "claude" }]);
  expect(JSON.stringify([await call("list_policy"), await call("activity")])).not.toContain(key);

  await call("distrust_client", { client: "claude" }, person);
  expect(await ask({ clientKey: String(key) })).toMatchObject({
    value: { status: "pending_approval" },
  });
  for (const name of ["trust_client", "distrust_client"]) {
    await expect(call(name, { client: "claude" }, agent)).rejects.toMatchObject({
      code: "ONLY_A_PERSON",
    });
  }
  expect((await call("list_policy")).trusted).toEqual([]);
});

test("[qualitative.trust.no-self-approval] no tool, header or argument approves an agent's proposal", async () => {
  const opened = await interviewLibrary();
  await tighten(opened, "*", "suggest");
  const { library } = opened;
  const { request, tool, rpc, withHeaders } = waysInto(library, projectShelves);
  const { proposal_id: id } = await opened.call("create_folder", { name: "C" }, agent);
  const rulesBefore = (await opened.call("list_policy")).rules;
  const settled = async () => {
    await opened.call("open_project", { path: "interviews.qda" }, person);
    expect([
      (await opened.call("list_folders", {}, person)).total_count,
      (await opened.call("list_policy", {}, person)).rules,
      (await opened.call("list_sources", {}, person)).sources,
    ]).toMatchObject([2, rulesBefore, [{ id: 1 }, { id: 2 }]]);
  };

  // Every operation there is, whether it is a tool or not, by every way that agents have.
  const yes = {
    id,
    proposal_id: id,
    confirm: true,
    approve: true,
    accept: true,
    tier: "autonomous",
  };
  for (const { operation } of library.catalogue.entries) {
    await opened.call("open_project", { path: "interviews.qda" }, person);
    const { name, example, input } = operation;
    const fits = Object.fromEntries(Object.entries(yes).filter(([key]) => key in input.shape));
    for (const given of [yes, { ...example, ...fits }]) {
      await tool(name, given);
      await rpc("tools/call", { name, arguments: given });
      await rpc("tools/call", {
        name,
        arguments: given,
        inputResponses: { approval: { action: "accept", content: { approve: true } } },
        requestState: "made up",
        _meta: { "io.modelcontextprotocol/approved": true, actor: { surface: "web" } },
      });
    }
  }
  await settled();

  // The page's own way in, which serves what a person alone may do.
  for (const { operation } of library.catalogue.entries) {
    const body = { arguments: { ...operation.example, id } };
    const answer = await withHeaders({ origin: "http://127.0.0.1:18765" })(
      "POST",
      `/page/${operation.name}`,
      body,
    );
    expect([operation.name, answer.status]).toEqual([operation.name, 403]);
  }

  // Every route that decides, with whatever a program can write into its headers.
  const deciding = library.catalogue.entries.flatMap(({ operation }) =>
    operation.effect === "decides" && operation.expose.http ? [operation] : [],
  );
  expect(deciding.length).toBeGreaterThan(3);
  const origin = "http://127.0.0.1:18765";
  for (const { expose, example } of deciding) {
    const [method = "", template = ""] = (expose.http ?? "").split(" ");
    const path = template.replace(/\{\w+\}/g, String(id));
    for (const headers of [
      {},
      { origin },
      { origin, "sec-fetch-site": "same-origin" },
      { origin, cookie: "lectern-page-18765=guess", "sec-fetch-site": "same-origin" },
      { origin, cookie: "lectern-page-18765=", "x-forwarded-for": "127.0.0.1" },
      { "user-agent": "web", authorization: "Bearer web", "x-lectern-surface": "web" },
      { "x-http-method-override": "POST", "x-actor": '{"surface":"cli"}' },
    ]) {
      const answer = await withHeaders(headers)(method, path, { ...example, id: undefined });
      expect([path, headers, answer.status]).toEqual([path, headers, 403]);
    }
  }
  await settled();
  const { body } = await request("GET", "/proposals?status=all");
  const ours = (body as { proposals: { status: string }[] }).proposals;
  expect(ours.length).toBeGreaterThan(10);
  expect(ours.every(({ status }) => status === "pending")).toBe(true);
});
