import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clientsOf } from "../../../../tests/contract/surface-clients.ts";
import { outcomeOf } from "../../../../tests/fixtures/library/named-call.ts";
import { connect, openEndpoint, postModern } from "../../../../tests/fixtures/mcp/mcp-client.ts";
import {
  databaseOf,
  interviewLibrary,
  type ProjectLibrary,
  projectShelves,
} from "../../../../tests/fixtures/qualitative/project-library.ts";
import type { Answer, CallOptions } from "../../../kernel/call.ts";
import { qualitative } from "../shelf.ts";

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

test("[qualitative.trust.tiers] by tier, an agent acts, acts with a notice, or proposes", async () => {
  const opened = await interviewLibrary();
  const { call, notices } = opened;
  const acted = () => notices.filter(({ topic }) => topic === "agent.acted").length;
  const reported = acted();

  await tighten(opened, "create_folder", "autonomous");
  await call("create_folder", { name: "A" }, agent);
  expect(acted()).toBe(reported);

  await tighten(opened, "create_folder", "notify");
  await call("create_folder", { name: "B" }, agent);
  expect(acted()).toBe(reported + 1);

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

test("[qualitative.trust.agents] a rule for one agent can only be stricter than the rule for all", async () => {
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

  await tighten(opened, "create_code", "default", "claude");
  expect(await tierFor("claude")).toBe("notify");
  await tighten(opened, "create_code", "usual");
  expect(await tierFor("another")).toBe("suggest");
});

test("[qualitative.trust.policy-undo] a policy change is logged and undone", async () => {
  const opened = await interviewLibrary();
  const { rules } = await tighten(opened, "delete_code", "require");
  expect(rules).toEqual([{ operation: "delete_code", agent: "*", tier: "require" }]);

  const { changes } = await opened.call("activity");
  const [latest] = changes as { id: number; summary: string }[];
  await opened.call("undo_change", { id: latest?.id }, person);
  expect((await opened.call("list_policy")).rules).toEqual([]);
});

test("[qualitative.trust.one-place] with tier suggest for everything, no tool writes, and each proposal is performed when accepted", async () => {
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

test("[qualitative.trust.preview] a preview needs no approval", async () => {
  const opened = await interviewLibrary();
  await tighten(opened, "*", "require");

  expect(await opened.call("remove_source", { source_id: 1 }, agent)).toMatchObject({
    preview: true,
    coded_segments_count: 1,
  });
});

test("[qualitative.trust.reasons] a proposal has the agent's reasons, and the agent receives its outcome", async () => {
  const opened = await interviewLibrary();
  await tighten(opened, "create_code", "suggest");
  const wish = { name: "Doubt", color: "#123456", rationale: "It is often said.", confidence: 80 };
  const { proposal_id: id } = await opened.call("create_code", wish, agent);
  const again = await opened.call("create_code", wish, agent);
  expect(again.proposal_id).toBe(id);

  const { proposals } = await opened.call("proposals", {}, person);
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

test("[qualitative.trust.failing-call] a call that would fail is refused immediately, without a proposal", async () => {
  const opened = await interviewLibrary();
  await tighten(opened, "*", "suggest");
  const failure = opened.call("create_code", { name: "hope", color: "#123456" }, agent);

  await expect(failure).rejects.toMatchObject({ code: "CODE_NOT_CREATED/DUPLICATE_NAME" });
  expect((await opened.call("proposals")).total).toBe(0);
});

test("[qualitative.trust.accepted] a proposal accepted in another process is written in the agent's name", async () => {
  const opened = await interviewLibrary();
  await tighten(opened, "batch_apply_codes", "suggest");
  const operations = [{ code_id: 2, source_id: 1, quote: "doubted" }];
  const { proposal_id: id } = await opened.call("batch_apply_codes", { operations }, agent);
  await opened.beside().call("accept_proposal", { id }, person);

  const { segments } = await opened.call("list_segments_for_source", { source_id: 1 });
  expect(segments).toMatchObject([{ owner: "AI Agent" }, { owner: "claude", code_id: 2 }]);
});

test("[qualitative.trust.stale] an accepted deletion does exactly what was shown, or nothing", async () => {
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

/** A library where folders need a person's approval, requested through the client. */
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

test("[qualitative.trust.elicitation] if approval is required, a client that the person trusts relays the question", async () => {
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

test("[qualitative.trust.untrusted] an answer from the agent's own client approves nothing, whatever name it uses", async () => {
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

test("[qualitative.trust.untrusted] a person can revoke trust in a client, and no agent can grant it", async () => {
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
  const { request, tool, rpc, withHeaders } = clientsOf(library, projectShelves);
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

  // Every operation, exposed as a tool or not, on every surface of agents.
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

  // The page's surface, which includes operations only for people.
  for (const { operation } of library.catalogue.entries) {
    const body = { arguments: { ...operation.example, id } };
    const answer = await withHeaders({ origin: "http://127.0.0.1:18765" })(
      "POST",
      `/page/${operation.name}`,
      body,
    );
    expect([operation.name, answer.status]).toEqual([operation.name, 403]);
  }

  // Every deciding route, with every header that a program can forge.
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

test("[qualitative.trust.untrusted] if approval is required, neither forged answers nor a client that always says yes delete a code or a source", async () => {
  const opened = await interviewLibrary();
  const deleting = [
    ["delete_code", { code_id: 2, confirm: true }],
    ["remove_source", { source_id: 2, confirm: true }],
  ] as const;
  for (const [name] of deleting) await tighten(opened, name, "require");
  const before = rowsOf(opened.root);
  const endpoint = openEndpoint(opened.library);
  const capabilities = { elicitation: { form: {} } };
  const waits = { structuredContent: { data: { status: "pending_approval" } } };
  const yes = { action: "accept", content: { approve: true, approval: true, value: "yes" } };

  for (const [name, given] of deleting) {
    const forged = { name, arguments: given, inputResponses: { approval: yes, [name]: yes } };
    const { message } = await postModern(endpoint, "tools/call", forged, { capabilities });
    expect([name, message.result]).toMatchObject([name, waits]);
    const state = { ...forged, requestState: "made up" };
    const sealed = await postModern(endpoint, "tools/call", state, { capabilities });
    expect([name, sealed.message.result ?? {}]).not.toMatchObject([name, { deleted: true }]);
    expect([name, rowsOf(opened.root)]).toEqual([name, before]);
  }

  for (const era of ["legacy", "modern"] as const) {
    const asked: string[] = [];
    const client = await connect(endpoint, era, capabilities);
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: {} };
    });
    for (const [name, given] of deleting) {
      const answer = await client.callTool({ name, arguments: given });
      expect([era, name, answer]).toMatchObject([era, name, waits]);
    }
    expect([era, asked]).toEqual([era, []]);
  }
  expect(rowsOf(opened.root)).toEqual(before);
  const { proposals } = await opened.call("proposals", {}, person);
  for (const [name] of deleting) expect(JSON.stringify(proposals)).toContain(name);
  const { changes } = await opened.call("activity", { limit: 200 }, person);
  const done = (changes as { operation: string }[]).map(({ operation }) => operation);
  for (const [name] of deleting) expect(done).not.toContain(name);
});
