import { afterAll, describe, expect, test } from "vitest";
import { createCatalogue } from "../../src/kernel/operations/catalogue.ts";
import type { App } from "../../src/kernel/runtime/app.ts";
import { shelves } from "../../src/shelves.ts";
import { dataSchema, dialects } from "../../src/surfaces/dialects.ts";
import { exampleIn, openSample } from "../fixtures/library/sample-library.ts";
import { argsFor, clientsOf, routeFor } from "./surface-clients.ts";

const apps: App[] = [];
afterAll(() => Promise.all(apps.map((app) => app.close())));

/** Defines a test only if it applies. A test that does not apply is not reported as skipped. */
function testIf(applies: unknown, name: string, body: () => Promise<void>): void {
  if (applies) test(name, body);
}

/** Clients of a new copy of the sample, for examples that write. */
async function openClients() {
  const app = await openSample();
  apps.push(app);
  const withPaths = (example: unknown) => exampleIn(app.settings.root, example);
  return { ...clientsOf(app), withPaths };
}

/** Clients of one shared copy, for calls that read or are refused. */
function sharedClients() {
  shared ??= openClients();
  return shared;
}
let shared: ReturnType<typeof openClients> | undefined;

/** Operations that read but change which project is open. */
const opensOrCloses = new Set(["open_project", "close_project"]);

/** Operations that fail without vectors, which the sample does not have. */
const needVectors = new Set(["vsearch"]);

/** Checks whose example finds a problem in the sample. */
const failingChecks = new Set(["validate-against-pattern", "verify_deployment"]);

for (const { operation, shelf } of createCatalogue(shelves).entries) {
  const { name, expose, example, effect } = operation;
  const decides = effect === "decides";
  const isUnavailable = needVectors.has(name);
  const invalidInput = { ...example, nonsense: 1 };
  const clientsFor = effect === "reads" && !opensOrCloses.has(name) ? sharedClients : openClients;

  describe(name, () => {
    test("has a summary of at most 300 characters and a valid example", () => {
      expect(operation.summary.length).toBeGreaterThan(10);
      expect(operation.summary.length).toBeLessThan(300);
      expect(operation.input.safeParse(example).success).toBe(true);
    });

    testIf(
      expose.mcp,
      "[core.operations.mcp] is a tool whose answer matches its schema",
      async () => {
        const { rpc, withPaths } = await clientsFor();
        const { result } = await rpc("tools/call", { name, arguments: withPaths(example) });

        expect(result?.isError ?? false).toBe(isUnavailable);
        if (isUnavailable) return;
        const schema = dialects[shelf.dialect].schema(operation);
        if (schema) expect(schema.safeParse(result?.structuredContent).error).toBeUndefined();
      },
    );

    testIf(expose.mcp, "rejects invalid input as a tool, in its dialect", async () => {
      const { rpc } = await sharedClients();
      const { result } = await rpc("tools/call", { name, arguments: invalidInput });

      expect(result?.isError).toBe(true);
      expect(JSON.stringify(result)).toContain("nonsense");
    });

    testIf(expose.mcp, "[core.operations.tools-route] is available under /tools", async () => {
      const { tool, withPaths } = await clientsFor();
      const valid = await tool(name, withPaths(example));
      const invalid = await tool(name, invalidInput);

      expect(valid).toMatchObject({
        status: isUnavailable ? 503 : 200,
        body: { success: !isUnavailable },
      });
      if (!isUnavailable)
        expect(dataSchema(operation).safeParse(valid.body.data).error).toBeUndefined();
      expect(invalid).toMatchObject({
        status: 400,
        body: { success: false, error_code: "INVALID_ARGUMENT" },
      });
    });

    testIf(!expose.mcp, "is not a tool unless it is exposed to MCP", async () => {
      const { tool } = await sharedClients();

      expect(await tool(name, example)).toMatchObject({ status: 404 });
    });

    testIf(
      expose.http && !decides,
      "[core.operations.rest] is available on its route",
      async () => {
        const { request } = await clientsFor();
        const { method, path, body } = routeFor(expose.http ?? "", example);

        expect(await request(method, path, body)).toMatchObject({
          status: isUnavailable ? 503 : 200,
        });
      },
    );

    testIf(
      expose.http && !decides,
      "rejects invalid input on its route and names the field",
      async () => {
        const { request } = await sharedClients();
        const { method, path, body } = routeFor(expose.http ?? "", invalidInput);
        const answer = await request(method, path, body);

        expect(answer).toMatchObject({ status: 400, body: { status_code: 400 } });
        expect(answer.body.detail).toContain("nonsense");
      },
    );

    testIf(
      expose.http && decides,
      "cannot be called on its route without the page's credential",
      async () => {
        const { request } = await sharedClients();
        const { method, path, body } = routeFor(expose.http ?? "", example);

        expect(await request(method, path, body)).toMatchObject({ status: 403 });
      },
    );

    testIf(expose.cli && !decides, "[core.operations.cli] is available as a command", async () => {
      const args = argsFor(expose.cli ?? "", example);
      const text = await (await clientsFor()).shell(...args);
      const json = await (await clientsFor()).shell(...args, "--json");

      if (isUnavailable) return expect(text).toMatchObject({ code: 7, out: "" });
      const code = failingChecks.has(name) ? 1 : 0;
      expect(text.code).toBe(code);
      // Notes about a result are printed to stderr.
      if (!("notes" in operation.output.shape)) expect(text.err).toBe("");
      expect(text.out).not.toBe("");
      expect(json.code).toBe(code);
      expect(() => JSON.parse(json.out)).not.toThrow();
    });

    testIf(expose.cli, "rejects an unknown flag, and has help", async () => {
      const { shell } = await sharedClients();
      const args = argsFor(expose.cli ?? "", example);
      const help = await shell(...argsFor(expose.cli ?? "", {}, false), "--help");

      expect(await shell(...args, "--nonsense=1")).toMatchObject({ code: 2 });
      expect(help.code).toBe(0);
      expect(help.out).toContain(operation.summary.split(" ")[0]);
    });
  });
}

describe("all operations", () => {
  test("[core.operations.budget] the tools of all shelves fit into an agent's token budget", async () => {
    const { rpc } = await openClients();
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
    const { rpc } = await openClients();

    await expect(JSON.stringify((await rpc("tools/list", {})).result, null, 2)).toMatchFileSnapshot(
      "tools-list.snap",
    );
  });

  test("[core.operations.read-only] with --read-only only operations that read are available, on every surface", async () => {
    const app = await openSample({ readOnly: true });
    apps.push(app);
    const { rpc, request, shell } = clientsOf(app);

    for (const { operation } of app.catalogue.entries) expect(operation.effect).toBe("reads");
    const listed = ((await rpc("tools/list", {})).result?.tools ?? []) as { annotations: object }[];
    expect(listed.length).toBeGreaterThan(0);
    for (const tool of listed) expect(tool.annotations).toMatchObject({ readOnlyHint: true });
    const refused = await request("DELETE", "/collections/notes");
    expect(refused.status).toBe(403);
    expect(refused.body.detail).toContain("--read-only");
    expect(await shell("collection", "remove", "notes", "--read-only")).toMatchObject({ code: 5 });
    expect((await request("GET", "/collections/notes")).status).toBe(200);
  });

  test("[core.operations.shelves] an unknown shelf is rejected, and the closest name is suggested", async () => {
    const { shell } = await openClients();
    const { code, err } = await shell("status", "--shelves", "serach");

    expect(code).toBe(2);
    expect(err).toContain("'search'");
  });
});
