import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import * as z from "zod";
import { openDeskLibrary } from "../../../tests/fixtures/desk-library.ts";
import { connect, openEndpoint } from "../../../tests/fixtures/mcp-client.ts";
import { pageHeaders } from "../../../tests/fixtures/page-credential.ts";
import { operationsOn } from "../../kernel/operation.ts";
import { defineShelf } from "../../kernel/shelf.ts";
import { noTables } from "../../kernel/tables.ts";
import { makeApp } from "./app.ts";
import type { HouseState } from "./house-state.ts";

/** Work that goes on until it is told to end, or its caller has gone. */
function slowShelf() {
  const seen: { isStopped: boolean; end: () => void } = { isStopped: false, end: () => {} };
  const operation = operationsOn<object>();
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
  const { library } = openDeskLibrary({ shelves: [shelf] });
  const endpoint = openEndpoint(library);
  const finding = { name: "node", state: "ok", says: "Node 20" } as const;
  const app = makeApp({ library, mcp: endpoint.fetch, examine: () => [finding] });
  const house = async () => (await (await app.request("/house")).json()) as HouseState;
  return { app, seen, endpoint, house };
}

test("[house.http.house] the house tells its health, the work that runs and who is connected", async () => {
  const { app, seen, endpoint, house } = subject();
  const client = await connect(endpoint, "legacy");
  const digging = app.request("/dig", { method: "POST", headers: { "user-agent": "curl/8" } });

  await expect.poll(house).toMatchObject({
    findings: [{ name: "node", state: "ok" }],
    running: [{ what: "Dig a hole", by: { client: "curl/8" }, done: 1, message: "Digging" }],
  });
  expect((await house()).clients).toMatchObject([
    { surface: "mcp", client: "test-client", connections: 1 },
    { surface: "http", client: "curl/8", connections: 0, calls: 1 },
  ]);

  seen.end();
  expect(await (await digging).json()).toMatchObject({ depth: 3 });
  expect((await house()).running).toEqual([]);
  await endpoint.close();
  await client.close();
  expect((await house()).clients).toMatchObject([{ surface: "http" }, { connections: 0 }]);
});

async function pageOf(app: ReturnType<typeof makeApp>) {
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

test("[house.http.page-progress] the page hears how far a call has come, and the answer or the failure at last", async () => {
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

test("[house.http.page-progress] a page that stops listening ends the call", async () => {
  const { app, seen } = subject();
  const answer = await (await pageOf(app))("dig", {});
  const reader = answer.body?.getReader();
  await reader?.read();
  await reader?.cancel();

  await expect.poll(() => seen.isStopped).toBe(true);
});
