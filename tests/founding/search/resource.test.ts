import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Content } from "../answers.ts";
import { type QmdServer, startQmdServer } from "./qmd-library.ts";

/** Founding document 004: documents as resources, and the one prompt. */
let server: QmdServer;

beforeAll(async () => {
  server = await startQmdServer(
    {
      "notes/meeting.md": "# Meeting\n\nIt was short.",
      "notes/2025/ meeting.md": "# Spring\n\nA space before the name.",
      "docs/2025/plan.md": "# Plan\n\nTo plan.",
      "docs/File with spaces.md": "# Spaces\n\nInside.",
      "docs/both/index.md": "# Both\n\nIn docs.",
      "both/index.md": "# Index\n\nThe exact one.",
      "docs/2024/log.md": "# Log\n",
      "docs/2025/log.md": "# Log again\n",
    },
    { docs: "Documents of the project" },
  );
});

afterAll(() => server.close());

/** Reads a resource over both transports, which must return the same. */
async function read(uri: string): Promise<Content> {
  const read: Content[] = [];
  for (const { over, ask } of server.agents) {
    const { result, error } = await ask("resources/read", { uri });
    if (!result) throw new Error(`${uri} over ${over}: ${error?.message}`);
    // The format of a `resources/read` result.
    const { contents } = result as unknown as { contents: Content[] };
    expect(contents, over).toHaveLength(1);
    read.push(...contents);
  }
  const [first, second] = read;
  if (!first) throw new Error("no agent is connected");
  expect(second).toEqual(first);
  return first;
}

async function missing(uri: string): Promise<void> {
  for (const { over, ask } of server.agents) {
    const { error, result } = await ask("resources/read", { uri });
    expect(result, `${uri} over ${over}`).toBeUndefined();
    expect(error?.code, `${uri} over ${over}`).toBe(-32602);
  }
}

test("[search.resource.template] documents are one template with the documented title, description and type", async () => {
  for (const { over, ask } of server.agents) {
    const { result } = await ask("resources/templates/list");
    expect(result?.resourceTemplates, over).toEqual([
      {
        uriTemplate: "qmd://{+path}",
        name: expect.any(String),
        title: "QMD Document",
        description:
          "A markdown document from your QMD knowledge base. Use search tools to discover documents.",
        mimeType: "text/markdown",
      },
    ]);
  }
});

test("[search.resource.unlisted] documents are not listed unless enabled at startup", async () => {
  for (const { over, ask } of server.agents) {
    expect((await ask("resources/list")).result, over).toEqual({ resources: [] });
  }
  const { child, ended, answerTo } = server.startLine("qmd mcp --list-documents");
  child.stdin.write(
    `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} })}\n` +
      `${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "resources/list" })}\n`,
  );
  const { result } = await answerTo(2);
  expect(result?.resources).toHaveLength(8);
  child.stdin.end();
  await ended;
});

test("[search.resource.path] a path is the collection and the path within it", async () => {
  expect(await read("qmd://notes/meeting.md")).toMatchObject({
    uri: "qmd://notes/meeting.md",
    name: "notes/meeting.md",
    title: "Meeting",
    mimeType: "text/markdown",
  });
  expect(await read("qmd://docs/2025/plan.md")).toMatchObject({ name: "docs/2025/plan.md" });
});

test("[search.resource.decoding] a URI is decoded once, with slashes encoded or plain", async () => {
  for (const uri of [
    "qmd://notes%2F2025%2F%20meeting.md",
    "qmd://notes/2025/%20meeting.md",
    "qmd://notes/2025/ meeting.md",
  ]) {
    expect(await read(uri), uri).toMatchObject({ name: "notes/2025/ meeting.md", title: "Spring" });
  }
  for (const uri of [
    "qmd://docs%2FFile%20with%20spaces.md",
    "qmd://docs/File%20with%20spaces.md",
  ]) {
    expect(await read(uri), uri).toMatchObject({ name: "docs/File with spaces.md" });
  }
  await missing("qmd://docs/File%2520with%2520spaces.md");
});

test("[search.resource.encoding] returned URIs have encoded segments and plain slashes", async () => {
  const { uri } = await server.documentOf({ file: "notes/2025/ meeting.md" });

  expect(uri).toBe("qmd://notes/2025/%20meeting.md");
  expect(await read(uri)).toMatchObject({ uri, name: "notes/2025/ meeting.md" });
});

test("[search.resource.exact-first] an exact path takes precedence over a suffix of a longer one", async () => {
  expect((await read("qmd://both/index.md")).text).toContain("The exact one.");
  expect((await read("qmd://docs/both/index.md")).text).toContain("In docs.");
});

test("[search.resource.suffix] a path suffix is accepted, only at a slash and only if unique", async () => {
  expect(await read("qmd://plan.md")).toMatchObject({ name: "docs/2025/plan.md" });
  expect(await read("qmd://2025/plan.md")).toMatchObject({ name: "docs/2025/plan.md" });
  await missing("qmd://lan.md");
  await missing("qmd://log.md");
});

test("[search.resource.text] lines are numbered, and preceded by the folder's context", async () => {
  expect((await read("qmd://notes/meeting.md")).text).toBe("1: # Meeting\n2: \n3: It was short.");
  expect((await read("qmd://docs/2025/plan.md")).text).toBe(
    "<!-- Context: Documents of the project -->\n\n1: # Plan\n2: \n3: To plan.",
  );
});

test("[search.resource.missing] a missing document is error -32602, never contents", async () => {
  for (const uri of [
    "qmd://notes/gone.md",
    "qmd://gone",
    "qmd://",
    "qmd://%ZZ",
    "qmd://notes/..%2F..%2F..%2Fetc%2Fpasswd",
    "file:///etc/passwd",
  ]) {
    await missing(uri);
  }
  const [overStdio] = server.agents;
  const answer = await overStdio?.ask("resources/read", { uri: "qmd://notes/gone.md" });
  expect(answer?.error).toMatchObject({
    data: { uri: "qmd://notes/gone.md", success: false, error: { code: "not-found" } },
  });
});

test("[search.prompt.listed] the only prompt is query, without arguments", async () => {
  for (const { over, ask } of server.agents) {
    const { result } = await ask("prompts/list");
    expect(result?.prompts, over).toMatchObject([
      { name: "query", description: expect.stringContaining("QMD") },
    ]);
  }
});

/** The founding document, if the shared data is available. `guideHash` is the hash of its guide. */
const founding = fileURLToPath(
  new URL("../../../../shared/seeds/004_d81c953316758014.txt", import.meta.url),
);
const guideHash = "cd49be4dc99e12bfa477796b24fa9a48e877c8a542b9a01ad7c3c334714c7203";
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

test("[search.prompt.guide] it is one user message with the guide, verbatim, then what differs on this server", async () => {
  for (const { over, ask } of server.agents) {
    const { result } = await ask("prompts/get", { name: "query" });
    // The format of a `prompts/get` result.
    const { messages } = result as unknown as { messages: { content: { text: string } }[] };
    expect(messages, over).toEqual([
      { role: "user", content: { type: "text", text: expect.any(String) } },
    ]);
    const [guide = "", section = ""] =
      messages[0]?.content.text.split(/\n\n(?=## On this server\n)/) ?? [];
    expect(hashOf(guide), over).toBe(guideHash);
    expect(section, over).toContain("`resources/list` does not list documents.");
    expect(section, over).toContain("`query` does not expand queries");
  }
  if (!existsSync(founding)) return;
  const [, guide = ""] = /```markdown\n([\s\S]*?)\n```/.exec(readFileSync(founding, "utf8")) ?? [];
  expect(hashOf(guide)).toBe(guideHash);
});

test("[search.prompt.unknown] an unknown prompt is refused by name", async () => {
  for (const { over, ask } of server.agents) {
    expect((await ask("prompts/get", { name: "qurey" })).error, over).toMatchObject({
      code: -32602,
      message: expect.stringContaining("qurey"),
    });
  }
});
