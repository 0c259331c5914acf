import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { createCatalogue } from "../../../src/kernel/operations/catalogue.ts";
import { repository } from "../../../src/shelves/repository/shelf.ts";
import { call, type Line, request } from "../../programs/wire.ts";
import {
  createRepository,
  initialize,
  initialized,
  piped,
  type Repository,
  start,
} from "./repository-server.ts";

const small = { "README.md": "# Lamp\n", "package.json": '{ "name": "lamp" }\n' };

/** A repository with so many files that an analysis takes several turns of the event loop. */
function createLargeRepository(count: number): Repository {
  const folder = createRepository(small);
  for (let index = 0; index < count; index++)
    writeFileSync(join(folder.root, `file-${index}.md`), `# ${index}\n`);
  return folder;
}

test("[repository.protocol.handshake] the handshake is answered as documented", async () => {
  const { send, answerTo } = start(createRepository());
  send(initialize());

  expect(await answerTo(1)).toMatchObject({
    jsonrpc: "2.0",
    id: 1,
    result: {
      protocolVersion: "2024-11-05",
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: { name: "documcp", version: "1.0.0" },
    },
  });
});

describe("[repository.protocol.echo] the documented piped lines are answered, and the server exits", () => {
  test("a handshake with empty parameters", async () => {
    const line = '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}\n';
    const { lines, code } = await piped(createRepository(), line);

    expect(lines).toMatchObject([{ id: 1, result: { serverInfo: { name: "documcp" } } }]);
    expect(code).toBe(0);
  });

  test("a call over several lines, without a handshake", async () => {
    const { lines, code } = await piped(
      createRepository({ "test-repo/go.mod": "module example.org/lamp\n" }),
      `{
  "jsonrpc": "2.0",
  "id": 2,
  "method": "tools/call",
  "params": {
    "name": "analyze_repository",
    "arguments": {"path": "./test-repo"}
  }
}
`,
    );

    expect(lines.find(({ id }) => id === 2)).toMatchObject({
      result: { content: [{ type: "text", text: expect.any(String) }, {}] },
    });
    expect(code).toBe(0);
  });
});

test("[repository.protocol.tools-list] analyze_repository is listed as documented", async () => {
  const { send, answerTo } = start(createRepository());
  send(initialize() + initialized + request(2, "tools/list"));
  const { result } = await answerTo(2);

  expect(result?.tools).toContainEqual(
    expect.objectContaining({
      name: "analyze_repository",
      description: "Analyze repository structure and documentation needs",
      inputSchema: expect.objectContaining({
        type: "object",
        properties: {
          path: expect.objectContaining({
            type: "string",
            description: "Repository path to analyze",
          }),
          depth: expect.objectContaining({
            type: "string",
            enum: ["quick", "standard", "deep"],
            description: "Analysis depth",
          }),
        },
        required: ["path"],
      }),
    }),
  );
});

describe("[repository.protocol.invalid-params] invalid parameters are refused by name", () => {
  const invalidInputs: [given: Record<string, unknown>, parameter: string][] = [
    [{}, "path"],
    [{ path: "" }, "path"],
    [{ path: 7 }, "path"],
    [{ path: ".", depth: "bottomless" }, "depth"],
    [{ path: ".", deep: true }, "deep"],
  ];
  const failureFor = (parameter: string) => ({
    error: {
      code: -32602,
      message: "Invalid params",
      data: { details: `Validation failed for parameter '${parameter}'` },
    },
  });

  for (const version of ["2024-11-05", "2025-03-26", "2025-06-18"]) {
    test(`${version}: as a protocol error`, async () => {
      const { send, answerTo } = start(createRepository());
      send(initialize(version) + initialized);
      for (const [index, [given]] of invalidInputs.entries())
        send(call(index + 2, "analyze_repository", given));

      for (const [index, [, parameter]] of invalidInputs.entries()) {
        expect(await answerTo(index + 2)).toMatchObject(failureFor(parameter));
      }
    });
  }

  test("without a handshake: as a protocol error", async () => {
    const { lines } = await piped(createRepository(), call(2, "analyze_repository"));
    expect(lines).toMatchObject([failureFor("path")]);
  });

  test("2025-11-25: as a tool error, as that version requires", async () => {
    const { send, answerTo } = start(createRepository());
    send(initialize("2025-11-25") + initialized + call(2, "analyze_repository"));

    expect(await answerTo(2)).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringMatching(/^Error: .*'path'/) }] },
    });
  });
});

test("[repository.protocol.error-codes] each kind of error has the documented code, and the next line is processed", async () => {
  const { send, answerTo, next } = start(createRepository());
  send(initialize());
  await answerTo(1);
  send("not json\n");
  send(`${JSON.stringify({ jsonrpc: "1.0", id: 2, method: "ping" })}\n`);
  send(request(3, "no/such/method"));
  send(call(4, "no_such_tool"));
  send(call(5, "read_directory", { path: "." }));

  expect(await next(({ error }) => error?.code === -32700)).toMatchObject({ id: null });
  expect(await answerTo(2)).toMatchObject({ error: { code: -32600 } });
  expect(await answerTo(3)).toMatchObject({ error: { code: -32601 } });
  expect(await answerTo(4)).toMatchObject({ error: { code: -32602 } });
  expect(await answerTo(5)).toMatchObject({ result: { structuredContent: { success: true } } });
});

test("[repository.protocol.tool-error] a failed tool returns an error result with the documented text", async () => {
  const { send, answerTo } = start(createRepository());
  send(initialize() + initialized + call(5, "analyze_repository", { path: "./nowhere" }));

  expect(await answerTo(5)).toEqual({
    jsonrpc: "2.0",
    id: 5,
    result: {
      content: [{ type: "text", text: "Error: Repository path does not exist" }],
      isError: true,
    },
  });
});

describe("[repository.protocol.logging] events are sent as log messages, at the level the client set", () => {
  const logMessages = async (level?: string): Promise<Line[]> => {
    const { send, answerTo, lines } = start(createRepository(small));
    send(initialize() + initialized);
    if (level !== undefined) {
      send(request(2, "logging/setLevel", { level }));
      await answerTo(2);
    }
    send(call(3, "analyze_repository", { path: "." }));
    await answerTo(3);
    return lines.filter(({ method }) => method === "notifications/message");
  };
  test("by default", async () =>
    expect(await logMessages()).toContainEqual({
      jsonrpc: "2.0",
      method: "notifications/message",
      params: { level: "info", logger: "documcp", data: "Repository analysis completed" },
    }));
  test("from the level that was set", async () => expect(await logMessages("error")).toEqual([]));
});

test("[repository.protocol.progress] long calls send progress in the protocol's form to clients with a progress token", async () => {
  const { send, answerTo, lines } = start(createLargeRepository(3_000));
  const callWithMeta = (id: number, _meta?: object) =>
    request(id, "tools/call", {
      name: "analyze_repository",
      arguments: { path: "." },
      ...(_meta && { _meta }),
    });
  const reports = () => lines.filter(({ method }) => method === "notifications/progress");
  send(initialize() + initialized + callWithMeta(2));
  await answerTo(2);
  expect(reports()).toEqual([]);
  send(callWithMeta(3, { progressToken: "analysis-123" }));
  await answerTo(3);
  const numbers = reports().map(({ params }) => params?.progress);

  expect(numbers.length).toBeGreaterThan(0);
  for (const { params } of reports()) {
    expect(params).toMatchObject({
      progressToken: "analysis-123",
      progress: expect.any(Number),
      message: expect.any(String),
      _meta: { "lectern/progress": { kind: "report", message: params?.message } },
    });
  }
  expect(numbers).toEqual(numbers.toSorted((a, b) => Number(a) - Number(b)));
});

test("[repository.protocol.deadline] at the time limit from the environment the partial result is returned", async () => {
  const { send, answerTo } = start(createLargeRepository(8_000), {
    env: { LECTERN_TOOL_TIMEOUT_MS: "1" },
  });
  send(initialize() + initialized + call(2, "analyze_repository", { path: "." }));
  const { result } = await answerTo(2);

  expect(result).toMatchObject({
    structuredContent: {
      success: true,
      data: { partial: true, stopped_at: expect.any(String), facts: {} },
    },
  });
  expect(result).not.toHaveProperty("isError");
});

test("[repository.protocol.cancel] a cancelled call is not answered, and the next one is", async () => {
  const { send, answerTo, lines } = start(createLargeRepository(5_000));
  send(initialize() + initialized);
  await answerTo(1);
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } };
  send(call(2, "analyze_repository", { path: "." }));
  send(`${JSON.stringify(cancelled)}\n`);
  send(call(3, "verify_deployment", { repository: "." }));

  expect(await answerTo(3)).toMatchObject({ result: { structuredContent: { success: true } } });
  send(call(4, "analyze_repository", { path: ".", depth: "quick" }));
  await answerTo(4);
  expect(lines.filter(({ id }) => id === 2)).toEqual([]);
});

const Listed = z.object({
  data: z.object({
    entries: z.array(z.object({ name: z.string() })),
    next_cursor: z.string().optional(),
  }),
});

describe("[repository.protocol.size] large answers are paged and linked, and never exceed 10 MB", () => {
  test("a folder is read in pages that add up to the whole", async () => {
    const { send, answerTo } = start(createLargeRepository(1_000));
    send(initialize() + initialized);
    const names: string[] = [];
    let cursor: string | undefined;
    for (let id = 2; id === 2 || cursor !== undefined; id++) {
      send(call(id, "read_directory", { path: ".", ...(cursor !== undefined && { cursor }) }));
      const { result } = await answerTo(id);
      const { data } = Listed.parse(result?.structuredContent);
      names.push(...data.entries.map(({ name }) => name));
      cursor = data.next_cursor;
    }

    expect(new Set(names).size).toBe(1_002);
    expect(names).toHaveLength(1_002);
  });

  test("an analysis links its full result as a resource", async () => {
    const { send, answerTo } = start(createLargeRepository(1_000));
    send(initialize("2025-06-18") + initialized + call(2, "analyze_repository", { path: "." }));
    const { result } = await answerTo(2);
    const content = result?.content as { type: string; uri?: string }[];
    const uri = content.find(({ type }) => type === "resource_link")?.uri;

    expect(uri).toMatch(/^documcp:\/\/analysis\//);
    send(request(3, "resources/read", { uri }));
    expect(await answerTo(3)).toMatchObject({
      result: { contents: [{ uri, text: expect.stringContaining("file-999.md") }] },
    });
    expect(JSON.stringify(result).length).toBeLessThan(200_000);
  });
});

describe("[repository.protocol.debug] DEBUG traces the named topics to stderr, and stdout has only protocol messages", () => {
  const text = initialize() + initialized + call(2, "analyze_repository", { path: "." });
  const traceOf = async (DEBUG: string) => {
    const { lines, stderr } = await piped(createRepository(small), text, { DEBUG });
    for (const line of lines) expect(line).toMatchObject({ jsonrpc: "2.0" });
    return stderr;
  };
  const message = /mcp:protocol <- .*"method":"tools\/call"/;
  const answer = /mcp:protocol -> .*"protocolVersion"/;
  const tool = /documcp:tools analyze_repository called with .*"path":"\."/;
  const callEnded = /documcp:tools analyze_repository ended: ok in \d+ ms/;

  test("mcp:protocol", async () => {
    const stderr = await traceOf("mcp:protocol");
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(answer);
    expect(stderr).not.toMatch(tool);
  });
  test("mcp:*", async () => {
    const stderr = await traceOf("mcp:*");
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(answer);
  });
  test("documcp:tools", async () => {
    const stderr = await traceOf("documcp:tools");
    expect(stderr).toMatch(tool);
    expect(stderr).toMatch(callEnded);
    expect(stderr).not.toMatch(message);
  });
  test("nothing", async () => {
    const stderr = await traceOf("");
    expect(stderr).not.toMatch(/mcp:protocol|documcp:tools/);
  });
});

test("[repository.protocol.no-network] no tool uses the network unless requested", async () => {
  const repositoryFolder = createRepository({
    ...small,
    "docs/index.md": "# Lamp\n\n[out](https://example.org/a) ![x](http://example.org/b.png)\n",
    "trap.cjs": `
      const net = require("node:net");
      const dns = require("node:dns");
      const trap = (name) => () => { process.stderr.write("NETWORK " + name + "\\n"); throw new Error(name); };
      net.Socket.prototype.connect = trap("connect");
      for (const name of ["lookup", "resolve"]) dns[name] = dns.promises[name] = trap(name);
      globalThis.fetch = trap("fetch");
      process.stderr.write("TRAPS SET\\n");
    `,
  });
  const { send, answerTo, output } = start(repositoryFolder, {
    env: { NODE_OPTIONS: `--require ${join(repositoryFolder.root, "trap.cjs")}` },
  });
  send(initialize() + initialized);
  send(call(2, "analyze_repository", { path: "." }));
  send(call(3, "check_documentation_links", { documentation_path: "docs" }));
  send(call(4, "verify_deployment", { repository: ".", url: "https://example.org/" }));
  for (const id of [2, 3, 4]) expect((await answerTo(id)).result?.isError).toBeUndefined();

  expect(output.stderr).toContain("TRAPS SET");
  expect(output.stderr).not.toContain("NETWORK");
});

/** Values for the other required parameters. */
const requiredValues: Record<string, unknown> = {
  ssg: "hugo",
  projectName: "Lamp",
  action: "validate",
};

/** Every path parameter of every tool, from the tool definitions. */
const paths = createCatalogue([repository])
  .entries.filter(({ operation }) => operation.expose.mcp)
  .flatMap(({ operation: { name, input } }) => {
    const keys = Object.keys(input.shape);
    const isPath = (key: string) => input.shape[key].meta()?.path === true;
    const isNeeded = (key: string) => key === "path" || !input.shape[key].isOptional();
    const requiredInput = Object.fromEntries([
      ...keys.filter((key) => isPath(key) && isNeeded(key)).map((key) => [key, "."]),
      ...keys.filter((key) => key in requiredValues).map((key) => [key, requiredValues[key]]),
    ]);
    return keys.filter(isPath).map((key) => ({ name, key, requiredInput }));
  });

test("[repository.protocol.traversal] every tool that takes a path refuses one outside the force root", async () => {
  const repositoryFolder = createRepository({
    "inside/README.md": "# Lamp\n",
    "outside/README.md": "# Secret\n",
  });
  const inside = join(repositoryFolder.root, "inside");
  symlinkSync(join(repositoryFolder.root, "outside"), join(inside, "link"));
  const { send, answerTo } = start(
    { ...repositoryFolder, root: inside },
    { args: ["--force-root", inside] },
  );
  send(initialize() + initialized);

  expect(new Set(paths.map(({ name }) => name)).size).toBeGreaterThanOrEqual(17);
  let id = 1;
  for (const { name, key, requiredInput } of paths) {
    for (const out of [join(repositoryFolder.root, "outside"), "../outside", "link"]) {
      send(call(++id, name, { ...requiredInput, [key]: out }));
      const { result } = await answerTo(id);
      expect(result, `${name}.${key}`).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining("outside the root") }],
      });
    }
  }
});
