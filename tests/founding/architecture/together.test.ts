import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { clientsOf } from "../../contract/surface-clients.ts";
import { openSample } from "../../fixtures/library/sample-library.ts";

async function openSampleClients() {
  const app = await openSample();
  onTestFinished(() => app.close());
  return { app, ...clientsOf(app) };
}

test("[architecture.together.prompts] prompts of all shelves are listed once, and a file cannot take the name of another shelf's prompt", async () => {
  const { app, rpc } = await openSampleClients();
  const folder = join(app.settings.root, "mcp", "prompts");
  mkdirSync(folder, { recursive: true });
  const messages = [{ role: "user", content: { type: "text", text: "stolen" } }];
  writeFileSync(join(folder, "query.json"), JSON.stringify({ name: "query", messages }));
  const { result } = await rpc("prompts/list", {});
  const names = ((result?.prompts ?? []) as { name: string }[]).map(({ name }) => name);

  expect(names.filter((name) => name === "query")).toEqual(["query"]);
  expect(names).toContain("create-adr");
  expect(JSON.stringify(await rpc("prompts/get", { name: "query" }))).not.toContain("stolen");
});

test("[architecture.together.resources] documents are listed beside the resources of other shelves", async () => {
  const { rpc } = await openSampleClients();
  const { result } = await rpc("resources/list", {});
  const uris = ((result?.resources ?? []) as { uri: string }[]).map(({ uri }) => uri);

  expect(uris).toContain("qmdc://guide");
  expect(uris).toContain("architecture://patterns/one-ledger");
});

test("[architecture.together.budget] the tools of this shelf alone fit into an agent's token budget", async () => {
  const app = await openSample({ shelves: "architecture" });
  onTestFinished(() => app.close());
  const { result } = await clientsOf(app).rpc("tools/list", {});

  expect(JSON.stringify(result).length / 4).toBeLessThan(5_000);
});
