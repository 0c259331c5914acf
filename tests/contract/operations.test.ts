import { afterAll, describe, expect, test } from "vitest";
import { createCatalogue } from "../../src/kernel/operations/catalogue.ts";
import type { App } from "../../src/kernel/runtime/app.ts";
import { shelves } from "../../src/shelves.ts";
import { dataSchema, dialects } from "../../src/surfaces/dialects.ts";
import { exampleIn, openSample } from "../fixtures/library/sample-library.ts";
import { clientsOf, routeFor, wordsFor } from "./surface-clients.ts";

const opened: App[] = [];
afterAll(() => Promise.all(opened.map((library) => library.close())));

/** A test only where it applies; what does not apply is not a test that was passed over. */
function when(applies: unknown, name: string, body: () => Promise<void>): void {
  if (applies) test(name, body);
}

/** A fresh library, for an example that writes and would disturb another. */
async function clients() {
  const library = await openSample();
  opened.push(library);
  const placed = (example: unknown) => exampleIn(library.settings.root, example);
  return { ...clientsOf(library), placed };
}

/** One library for all that only reads, or is refused, and so leaves it as it was. */
function unchanged() {
  shared ??= clients();
  return shared;
}
let shared: ReturnType<typeof clients> | undefined;

/** They write nothing, and yet the next one finds another project open, or none. */
const opensOrCloses = new Set(["open_project", "close_project"]);

/** The sample has no vectors, and a search by meaning says so in the founding document's words. */
const withoutVectors = new Set(["vsearch"]);

/** Checks that find something wrong in the sample, which is what their examples show. */
const findsFaults = new Set(["validate-against-pattern", "verify_deployment"]);

for (const { operation, shelf } of createCatalogue(shelves).entries) {
  const { name, expose, example, effect } = operation;
  const decides = effect === "decides";
  const lacks = withoutVectors.has(name);
  const wrong = { ...example, nonsense: 1 };
  const ground = effect === "reads" && !opensOrCloses.has(name) ? unchanged : clients;

  describe(name, () => {
    test("describes itself within 300 characters", () => {
      expect(operation.summary.length).toBeGreaterThan(10);
      expect(operation.summary.length).toBeLessThan(300);
      expect(operation.input.safeParse(example).success).toBe(true);
    });

    when(expose.mcp, "[core.operations.mcp] answers as a tool, by its schema", async () => {
      const { rpc, placed } = await ground();
      const { result } = await rpc("tools/call", { name, arguments: placed(example) });

      expect(result?.isError ?? false).toBe(lacks);
      if (lacks) return;
      const schema = dialects[shelf.dialect].schema(operation);
      if (schema) expect(schema.safeParse(result?.structuredContent).error).toBeUndefined();
    });

    when(expose.mcp, "refuses bad input as a tool, in its dialect", async () => {
      const { rpc } = await unchanged();
      const { result } = await rpc("tools/call", { name, arguments: wrong });

      expect(result?.isError).toBe(true);
      expect(JSON.stringify(result)).toContain("nonsense");
    });

    when(expose.mcp, "[core.operations.tools-route] answers under /tools", async () => {
      const { tool, placed } = await ground();
      const good = await tool(name, placed(example));
      const bad = await tool(name, wrong);

      expect(good).toMatchObject({ status: lacks ? 503 : 200, body: { success: !lacks } });
      if (!lacks) expect(dataSchema(operation).safeParse(good.body.data).error).toBeUndefined();
      expect(bad).toMatchObject({
        status: 400,
        body: { success: false, error_code: "INVALID_ARGUMENT" },
      });
    });

    when(!expose.mcp, "is no tool where it does not say so", async () => {
      const { tool } = await unchanged();

      expect(await tool(name, example)).toMatchObject({ status: 404 });
    });

    when(expose.http && !decides, "[core.operations.rest] answers on its route", async () => {
      const { request } = await ground();
      const { method, path, body } = routeFor(expose.http ?? "", example);

      expect(await request(method, path, body)).toMatchObject({ status: lacks ? 503 : 200 });
    });

    when(expose.http && !decides, "refuses bad input on its route, by name", async () => {
      const { request } = await unchanged();
      const { method, path, body } = routeFor(expose.http ?? "", wrong);
      const answer = await request(method, path, body);

      expect(answer).toMatchObject({ status: 400, body: { status_code: 400 } });
      expect(answer.body.detail).toContain("nonsense");
    });

    when(expose.http && decides, "is decided by nobody without the page's credential", async () => {
      const { request } = await unchanged();
      const { method, path, body } = routeFor(expose.http ?? "", example);

      expect(await request(method, path, body)).toMatchObject({ status: 403 });
    });

    when(expose.cli && !decides, "[core.operations.cli] answers as a command", async () => {
      const words = wordsFor(expose.cli ?? "", example);
      const read = await (await ground()).shell(...words);
      const data = await (await ground()).shell(...words, "--json");

      if (lacks) return expect(read).toMatchObject({ code: 7, out: "" });
      const code = findsFaults.has(name) ? 1 : 0;
      expect(read.code).toBe(code);
      // Notes beside a result are on stderr.
      if (!("notes" in operation.output.shape)) expect(read.err).toBe("");
      expect(read.out).not.toBe("");
      expect(data.code).toBe(code);
      expect(() => JSON.parse(data.out)).not.toThrow();
    });

    when(expose.cli, "refuses an unknown flag, and explains itself", async () => {
      const { shell } = await unchanged();
      const words = wordsFor(expose.cli ?? "", example);
      const help = await shell(...wordsFor(expose.cli ?? "", {}, false), "--help");

      expect(await shell(...words, "--nonsense=1")).toMatchObject({ code: 2 });
      expect(help.code).toBe(0);
      expect(help.out).toContain(operation.summary.split(" ")[0]);
    });
  });
}

describe("the whole", () => {
  test("[core.operations.budget] the tools of all shelves fit into an agent's token budget", async () => {
    const { rpc } = await clients();
    const { result } = await rpc("tools/list", {});

    expect(JSON.stringify(result).length / 4).toBeLessThan(16_000);
    for (const tool of (result?.tools ?? []) as { annotations: object }[]) {
      expect(Object.keys(tool.annotations).sort()).toEqual([
        "destructiveHint",
        "idempotentHint",
        "openWorldHint",
        "readOnlyHint",
      ]);
    }
  });

  test("[core.operations.snapshot] the tool list equals its snapshot, so that changes are deliberate", async () => {
    const { rpc } = await clients();

    await expect(JSON.stringify((await rpc("tools/list", {})).result, null, 2)).toMatchFileSnapshot(
      "tools-list.snap",
    );
  });

  test("[core.operations.read-only] with --read-only only operations that read are available, on every surface", async () => {
    const library = await openSample({ readOnly: true });
    opened.push(library);
    const { rpc, request, shell } = clientsOf(library);

    for (const { operation } of library.catalogue.entries) expect(operation.effect).toBe("reads");
    const listed = ((await rpc("tools/list", {})).result?.tools ?? []) as { annotations: object }[];
    expect(listed.length).toBeGreaterThan(0);
    for (const tool of listed) expect(tool.annotations).toMatchObject({ readOnlyHint: true });
    const refused = await request("DELETE", "/collections/notes");
    expect(refused.status).toBe(403);
    expect(refused.body.detail).toContain("--read-only");
    expect(await shell("collection", "remove", "notes", "--read-only")).toMatchObject({ code: 5 });
    expect((await request("GET", "/collections/notes")).status).toBe(200);
  });

  test("[core.operations.shelves] an unknown shelf is refused, and the closest name is suggested", async () => {
    const { shell } = await clients();
    const { code, err } = await shell("status", "--shelves", "serach");

    expect(code).toBe(2);
    expect(err).toContain("'search'");
  });
});
