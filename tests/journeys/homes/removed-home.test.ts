import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { httpClientAt } from "../../torture/http-client.ts";
import { freshHome, runProgram, startServer } from "../program.ts";
import { startAgent } from "../stdio-agent.ts";

/** A server with one collection. Its home can be removed without the collection. */
async function startWithHome(flags: (documents: string) => string[] = () => []) {
  const tempFolder = freshHome();
  const [home, documents] = [join(tempFolder, "home"), join(tempFolder, "documents")];
  for (const folder of [home, documents]) mkdirSync(folder);
  writeFileSync(join(documents, "a.md"), "# A\n\nalbatross\n");
  await runProgram(["collection", "add", documents, "--name", "notes"], { home, cwd: tempFolder });
  const start = () => startServer(home, ["--root", documents, ...flags(documents)]);
  const server = await start();
  onTestFinished(async () => {
    server.child.kill("SIGKILL");
    rmSync(tempFolder, { recursive: true, force: true });
  });
  return { tempFolder, home, documents, server, start, client: httpClientAt(server.url) };
}

const proposal = { kind: "new", title: "Keep the lamp lit" };

test.each([
  ["a plain server", () => []],
  ["a server with a force root", (documents: string) => ["--force-root", documents]],
])(
  "[core.removed-home.server] %s reports that its home was removed, rejects writes, and can still search",
  async (_, flags) => {
    const { home, server, start, client } = await startWithHome(flags);
    expect(await client.send("GET", "/health")).toMatchObject({ status: 200 });
    await client.callTool("propose-decision", proposal);
    rmSync(home, { recursive: true });

    const health = await client.send("GET", "/health");
    expect(health).toMatchObject({
      status: 503,
      body: { status: "unhealthy", reason: expect.stringContaining("home was removed") },
    });
    expect(JSON.stringify(health.body)).not.toContain(home);
    await expect(client.callTool("propose-decision", proposal)).rejects.toThrow(
      /503.*home was removed/,
    );
    const added = await client.send("POST", "/contexts/add", { path: "notes", text: "words" });
    expect(added.status).toBe(503);
    const qualitative = ["create_project", { path: "new.qda" }] as const;
    await expect(client.callTool(...qualitative)).rejects.toThrow(/503.*home was removed/);
    await expect(client.callTool("list_codes", {})).rejects.toThrow(/503.*home was removed/);
    expect(existsSync(home)).toBe(false);
    const searchResults = await client.send("POST", "/search", { query: "albatross" });
    expect([searchResults.status, JSON.stringify(searchResults.body)]).toEqual([
      200,
      expect.stringContaining("a.md"),
    ]);
    expect(await server.stop()).toBe(0);

    mkdirSync(home, { recursive: true });
    const restarted = await start();
    onTestFinished(() => void restarted.child.kill("SIGKILL"));
    const newClient = httpClientAt(restarted.url);
    expect(await newClient.send("GET", "/health")).toMatchObject({ status: 200 });
    await newClient.callTool("propose-decision", proposal);
  },
);

test("[core.removed-home.shared] processes of a replaced home do not touch the new one", async () => {
  const { tempFolder, home, documents, server, client } = await startWithHome();
  const agent = startAgent(home);
  onTestFinished(() => void agent.child.kill("SIGKILL"));
  await agent.initialize();
  await agent.call("status");
  // Sockets cannot be copied.
  cpSync(home, `${home}-copy`, { recursive: true, filter: (path) => !path.endsWith(".sock") });
  renameSync(home, `${home}-before`);
  renameSync(`${home}-copy`, home);
  expect(await client.send("GET", "/health")).toMatchObject({ status: 503 });

  // The new home has its own indexing process, while those of the old home still run.
  const newServer = await startServer(home, ["--root", documents]);
  onTestFinished(() => void newServer.child.kill("SIGKILL"));
  writeFileSync(join(documents, "b.md"), "# B\n\nbittern\n");
  const searchResults = async () =>
    JSON.stringify(
      (await httpClientAt(newServer.url).send("POST", "/search", { query: "bittern" })).body,
    ).includes("b.md");
  await expect.poll(searchResults, { interval: 50 }).toBe(true);
  expect(await server.stop()).toBe(0);
  const { stdout } = await runProgram(["search", "bittern"], { home, cwd: tempFolder });
  expect(stdout).toContain("b.md");
});

test("[core.removed-home.config] if the configuration is deleted under a server, health reports it, writes are refused and search works", async () => {
  const { home, client } = await startWithHome();
  await client.send("POST", "/search", { query: "albatross" });
  rmSync(join(home, "config.json"));
  expect(await client.send("GET", "/health")).toMatchObject({
    status: 503,
    body: { reason: expect.stringContaining("configuration file was removed") },
  });
  const added = await client.send("POST", "/contexts/add", { path: "notes", text: "words" });
  expect(added.status).toBe(503);
  const searchResults = await client.send("POST", "/search", { query: "albatross" });
  expect(JSON.stringify(searchResults.body)).toContain("a.md");
  const { stdout } = await runProgram(["doctor"], { home });
  expect(stdout).toMatch(/^warn +config .*is missing, but its backup exists/m);
  cpSync(join(home, "config.json.bak"), join(home, "config.json"));
  expect(await client.send("GET", "/health")).toMatchObject({ status: 200 });
});
