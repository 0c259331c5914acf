import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import * as z from "zod";
import { pageHeaders } from "../../../../tests/fixtures/http/page-credential.ts";
import { openSampleShelfLibrary } from "../../../../tests/fixtures/library/sample-shelf-library.ts";
import { connect, openEndpoint } from "../../../../tests/fixtures/mcp/mcp-client.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { defineShelf } from "../../../kernel/shelf.ts";
import { noTables } from "../../../kernel/storage/migrations.ts";
import { createHttpApp } from "../http-app.ts";
import type { SystemState } from "./system-state.ts";

/** Work that continues until it is stopped, or its caller disconnects. */
function slowShelf() {
  const seen: { isStopped: boolean; end: () => void } = { isStopped: false, end: () => {} };
  const operation = operationsFor<object>();
  const shelf = defineShelf({
    name: "slow",
    dialect: "qmd",
    guide: "",
    tables: noTables,
    open: () => ({}),
    operations: [
      operation({
        name: "dig",
        title: "Dig a hole",
        summary: "Digs until it is deep enough.",
        input: z.object({}),
        output: z.object({ depth: z.int() }),
        effect: "reads",
        expose: { http: "POST /dig" },
        example: {},
        async run(_input, _state, call) {
          call.progress(1, 3, "Digging");
          await new Promise<void>((resolve) => {
            seen.end = resolve;
            call.signal.addEventListener("abort", () => {
              seen.isStopped = true;
              resolve();
            });
          });
          await pause(120);
          call.progress(2, 3, "Digging deeper");
          return { depth: 3 };
        },
      }),
    ],
  });
  return { shelf, seen };
}

function subject() {
  const { shelf, seen } = slowShelf();
  const { library } = openSampleShelfLibrary({ shelves: [shelf] });
  const endpoint = openEndpoint(library);
  const finding = { name: "node", state: "ok", says: "Node 20" } as const;
  const app = createHttpApp({ app: library, mcp: endpoint.fetch, quickChecks: () => [finding] });
  const runtime = async () => (await (await app.request("/system")).json()) as SystemState;
  return { app, seen, endpoint, runtime };
}

test("[core.http.system] the server reports its health, running tasks and connected clients", async () => {
  const { app, seen, endpoint, runtime } = subject();
  const client = await connect(endpoint, "legacy");
  const digging = app.request("/dig", { method: "POST", headers: { "user-agent": "curl/8" } });

  await expect.poll(runtime).toMatchObject({
    findings: [{ name: "node", state: "ok" }],
    running: [{ what: "Dig a hole", by: { client: "curl/8" }, done: 1, message: "Digging" }],
  });
  expect((await runtime()).clients).toMatchObject([
    { surface: "mcp", client: "test-client", connections: 1 },
    { surface: "http", client: "curl/8", connections: 0, calls: 1 },
  ]);

  seen.end();
  expect(await (await digging).json()).toMatchObject({ depth: 3 });
  expect((await runtime()).running).toEqual([]);
  await endpoint.close();
  await client.close();
  expect((await runtime()).clients).toMatchObject([{ surface: "http" }, { connections: 0 }]);
});

async function pageOf(app: ReturnType<typeof createHttpApp>) {
  const origin = "http://localhost:18765";
  const page = await app.request(`${origin}/`, { headers: { accept: "text/html" } });
  const own = await pageHeaders(page, origin);
  return (name: string, body: object) =>
    app.request(`${origin}/page/${name}`, {
      method: "POST",
      headers: {
        ...own,
        accept: "application/x-ndjson",
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    });
}

test("[core.http.page-progress] the page receives progress, then the answer or the failure", async () => {
  const { app, seen } = subject();
  const ask = await pageOf(app);
  const answer = await ask("dig", {});
  seen.end();
  const lines = (await answer.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

  expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
  expect(lines.at(-2)).toEqual({ progress: { done: 2, total: 3, message: "Digging deeper" } });
  expect(lines.at(-1)).toEqual({ data: { depth: 3 } });
  const failed = (await (await ask("dig", { arguments: { deep: 1 } })).text()).trim().split("\n");
  expect(JSON.parse(failed.at(-1) ?? "")).toMatchObject({ status_code: 400 });
});

test("[core.http.page-progress] a page that disconnects ends the call", async () => {
  const { app, seen } = subject();
  const answer = await (await pageOf(app))("dig", {});
  const reader = answer.body?.getReader();
  await reader?.read();
  await reader?.cancel();

  await expect.poll(() => seen.isStopped).toBe(true);
});
