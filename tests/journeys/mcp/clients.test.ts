import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshHome, lectern, runProgram, type Served, startServer } from "../program.ts";
import {
  connectLegacyClient,
  connectModernClient,
  type EraClient,
  inspect,
  type ServerLocation,
} from "./client-eras.ts";

const home = freshHome();
const folder = join(home, "journal");
let server: Served;

beforeAll(async () => {
  mkdirSync(join(folder, "2026"), { recursive: true });
  writeFileSync(
    join(folder, "harbour.md"),
    "# The harbour\n\nThe lighthouse keeper lights the lamp.\n",
  );
  writeFileSync(join(folder, "2026", "may.md"), "# May\n\nRain, and a letter from the keeper.\n");
  const added = await runProgram(["collection", "add", folder, "--name", "journal"], { home });
  expect(added.code, added.stderr).toBe(0);
  server = await startServer(home);
});

afterAll(async () => {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

function locationFor(over: ServerLocation["over"]): ServerLocation {
  if (over === "http") return { over, url: `${server.url}/mcp` };
  const [command = "", ...args] = lectern;
  return { over, command, args: [...args, "mcp"], env: { LECTERN_HOME: home } };
}

const clients: [name: string, meet: (server: ServerLocation) => Promise<EraClient>][] = [
  ["SDK v1", connectLegacyClient],
  ["SDK v2, legacy era", (server) => connectModernClient(server, "legacy")],
  ["SDK v2, negotiated era", (server) => connectModernClient(server, "auto")],
  ["SDK v2, 2026-07-28", (server) => connectModernClient(server, { pin: "2026-07-28" })],
];

describe.each(["stdio", "http"] as const)("over %s", (over) => {
  test.each(clients)(
    "[core.journey.clients] %s can search, read, list prompts and subscribe",
    async (_, connect) => {
      const client = await connect(locationFor(over));
      try {
        expect(await client.tools()).toEqual(expect.arrayContaining(["search", "get", "status"]));

        const results = await client.call("search", { query: "lighthouse" });
        expect(results).toMatchObject({
          structuredContent: { results: [{ file: "journal/harbour.md" }] },
        });
        const document = await client.call("get", { file: "journal/harbour.md" });
        expect(document).toMatchObject({
          content: [{ type: "resource", resource: { text: expect.stringContaining("the lamp") } }],
        });
        const status = await client.call("status", {});
        expect(JSON.stringify(status.structuredContent)).toContain("journal");
        expect(await client.call("get", { file: "journal/harbor.md" })).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining("harbour.md") }],
        });

        const uri = "qmd://journal/harbour.md";
        expect(await client.read(uri)).toMatchObject({
          contents: [{ uri, mimeType: "text/markdown" }],
        });
        await expect(client.read("qmd://journal/nothing.md")).rejects.toMatchObject({
          code: -32602,
        });
        expect(await client.prompt("query")).toMatchObject({ messages: [{ role: "user" }] });
        expect(await client.complete("qmd://{+path}", "path", "journal/")).toMatchObject({
          completion: { values: expect.arrayContaining(["journal/harbour.md", "journal/2026/"]) },
        });

        const received: string[] = [];
        await client.subscribe(uri, (changed) => received.push(changed));
        appendFileSync(join(folder, "harbour.md"), "\nFog.\n");
        await expect.poll(() => received).toContain(uri);
      } finally {
        await client.close();
      }
    },
  );

  test.each(["legacy", "modern"])(
    "[core.journey.inspector] the inspector's command line is served in the %s era",
    async (era) => {
      const server = locationFor(over);
      const ask = (...args: string[]) => inspect(server, era, args);

      const listed = await ask("--method", "tools/list", "--strict");
      expect(listed.code, listed.output).toBe(0);
      const results = await ask(
        ...["--method", "tools/call", "--tool-name", "search"],
        ...["--tool-args-json", '{"query":"lighthouse"}'],
      );
      expect(results.result, results.output).toMatchObject({
        structuredContent: { results: [{ file: "journal/harbour.md" }] },
      });
      const read = await ask("--method", "resources/read", "--uri", "qmd://journal/harbour.md");
      expect(read.result, read.output).toMatchObject({ contents: [{ mimeType: "text/markdown" }] });
      const prompt = await ask("--method", "prompts/get", "--prompt-name", "query");
      expect(prompt.result, prompt.output).toMatchObject({ messages: [{ role: "user" }] });
      const unknown = await ask("--method", "tools/call", "--tool-name", "sarch");
      expect(unknown.code, unknown.output).toBe(5);
    },
  );
});
