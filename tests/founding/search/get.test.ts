import { afterAll, beforeAll, expect, test } from "vitest";
import { type QmdServer, startQmdServer } from "./qmd-library.ts";

/** Founding document 004: `get`, as a tool, a route and a command. */
let server: QmdServer;

const meeting = Array.from({ length: 200 }, (_, index) => `Point ${index + 1} of the meeting.`);
const pointsFrom = (first: number, count: number) =>
  meeting.slice(first - 1, first - 1 + count).join("\n");

beforeAll(async () => {
  server = await startQmdServer(
    {
      "notes/meeting.md": meeting.join("\n"),
      "notes/meetings.md": "# Meetings\n\nAll of them.\n",
      "notes/2025/ meeting.md": "# Spring\n\nA space before the name.\n",
      "notes/path to/file.md": "# Document Title\n\nLine 3\n",
      "docs/File with spaces.md": "# Spaces\n\nInside.\n",
      "docs/2025/plan.md": "# Plan\n\n## Goals\n\nFew.\n\n### Near\n\nOne.\n\n## Means\n\nNone.\n",
      "docs/2024/plan.md": "# Old plan\n",
      "docs/C# & 100%.md": "# Odd letters\n\nÜber 東京.\n",
      "known/similar.md": "# Similar\n",
      "another/path.md": "# Path\n",
      ...Object.fromEntries(
        ["2026-01", "2026-02", "2026-03", "2026-04", "2031-11"].map((month) => [
          `logs/log of ${month}.md`,
          `# Log of ${month}\n`,
        ]),
      ),
    },
    { known: "meeting notes" },
  );
});

afterAll(() => server.close());

test("[search.get.resource] an agent gets one embedded resource with uri, name, title, type and text", async () => {
  for (const { over, call } of server.agents) {
    const { content, isError } = await call("get", { file: "notes/path to/file.md" });
    expect(isError, over).toBeUndefined();
    expect(content, over).toMatchObject([
      {
        type: "resource",
        resource: {
          uri: "qmd://notes/path%20to/file.md",
          name: "notes/path to/file.md",
          title: "Document Title",
          mimeType: "text/markdown",
          text: "# Document Title\n\nLine 3\n",
        },
      },
    ]);
  }
});

test("[search.get.rest] REST returns the same as `document`, and null as `content`", async () => {
  expect(await server.rest("POST /get", { file: "notes/path to/file.md" })).toMatchObject({
    status: 200,
    body: {
      document: {
        uri: "qmd://notes/path%20to/file.md",
        name: "notes/path to/file.md",
        title: "Document Title",
        mimeType: "text/markdown",
        text: "# Document Title\n\nLine 3\n",
      },
      content: null,
    },
  });
});

test("[search.get.cli] the command line prints only the text", async () => {
  expect(await server.qmd("get", "docs/2024/plan.md")).toEqual({
    code: 0,
    stdout: "# Old plan\n",
    stderr: "",
  });
});

test("[search.get.colon] `file.md:120` starts at line 120 and overrides fromLine", async () => {
  expect((await server.documentOf({ file: "notes/meeting.md:120" })).text).toBe(
    pointsFrom(120, 81),
  );
  expect((await server.documentOf({ file: "notes/meeting.md:120", fromLine: 5 })).text).toBe(
    pointsFrom(120, 81),
  );
});

test("[search.get.line-example] the documented test case: twenty lines from line 120 are 120 to 139", async () => {
  const input = { file: "notes/meeting.md:120", maxLines: 20 };

  expect((await server.documentOf(input)).text).toBe(pointsFrom(120, 20));
  const { text, name } = await server.documentOf({ ...input, lineNumbers: true });
  expect(name).toBe("notes/meeting.md");
  expect(text).toMatch(/^120: Point 120 of the meeting\.\n/);
  expect(text).toMatch(/\n139: Point 139 of the meeting\.$/);
});

test("[search.get.range] `file.md:120:40` reads forty lines", async () => {
  expect((await server.documentOf({ file: "notes/meeting.md:120:40" })).text).toBe(
    pointsFrom(120, 40),
  );
  expect((await server.documentOf({ file: "meeting.md:199:40" })).text).toBe(pointsFrom(199, 2));
});

test("[search.get.parts] fromLine and maxLines select lines, which are numbered as in the file and only on request", async () => {
  expect(
    (await server.documentOf({ file: "notes/meeting.md", fromLine: 3, maxLines: 2 })).text,
  ).toBe(pointsFrom(3, 2));
  expect(
    (
      await server.documentOf({
        file: "notes/meeting.md",
        fromLine: 9,
        maxLines: 2,
        lineNumbers: true,
      })
    ).text,
  ).toBe("9: Point 9 of the meeting.\n10: Point 10 of the meeting.");
  expect((await server.documentOf({ file: "notes/meeting.md", lineNumbers: true })).text).toMatch(
    /^1: Point 1 of the meeting\.\n2: /,
  );
  expect((await server.documentOf({ file: "notes/meeting.md", fromLine: 1_000 })).text).toBe("");
});

test("[search.get.heading] `file.md#heading` reads that section with its subsections", async () => {
  const goals = "## Goals\n\nFew.\n\n### Near\n\nOne.\n";

  expect((await server.documentOf({ file: "docs/2025/plan.md#goals" })).text).toBe(goals);
  expect(
    (await server.documentOf({ file: "docs/2025/plan.md#Goals", lineNumbers: true })).text,
  ).toMatch(/^3: ## Goals\n4: \n5: Few\./);
  const { text, status, code } = await server.failureOf("get", { file: "docs/2025/plan.md#end" });
  expect([status, code]).toEqual([404, 3]);
  expect(text).toMatch(/'end'[\s\S]*Plan, Goals, Near, Means/);
});

test("[search.get.docid] a document is found by its docid, with or without `#`, optionally with a line", async () => {
  const [hit] = await server.resultsOf("search", { query: "spring" });
  const docid = hit?.docid ?? "";

  expect((await server.documentOf({ file: docid })).name).toBe("notes/2025/ meeting.md");
  expect((await server.documentOf({ file: docid.slice(1) })).name).toBe("notes/2025/ meeting.md");
  expect((await server.documentOf({ file: `${docid}:3` })).text).toBe("A space before the name.\n");
  expect((await server.failureOf("get", { file: "#000000" })).status).toBe(404);
});

test("[search.get.paths] a document is named by collection/path, by its path in the collection, or by a path suffix", async () => {
  for (const file of ["docs/2025/plan.md", "2025/plan.md", server.pathOf("docs/2025/plan.md")]) {
    expect((await server.documentOf({ file })).name, file).toBe("docs/2025/plan.md");
  }
  expect((await server.documentOf({ file: "File with spaces.md" })).name).toBe(
    "docs/File with spaces.md",
  );
  expect((await server.failureOf("get", { file: "lan.md" })).status).toBe(404);
});

test("[search.get.uris] a URI is accepted with slashes encoded or plain, and returned URIs can be used again", async () => {
  for (const file of [
    "qmd://docs/File%20with%20spaces.md",
    "qmd://docs%2FFile%20with%20spaces.md",
  ]) {
    expect((await server.documentOf({ file })).name).toBe("docs/File with spaces.md");
  }
  expect((await server.documentOf({ file: "qmd://notes%2F2025%2F%20meeting.md" })).name).toBe(
    "notes/2025/ meeting.md",
  );
  const specialName = await server.documentOf({ file: "docs/C# & 100%.md" });
  expect(specialName.uri).toBe("qmd://docs/C%23%20%26%20100%25.md");
  expect(await server.documentOf({ file: specialName.uri })).toEqual(specialName);
});

test("[search.get.comment] the context of the folder precedes the text", async () => {
  expect((await server.documentOf({ file: "known/similar.md" })).text).toBe(
    "<!-- Context: meeting notes -->\n\n# Similar\n",
  );
  expect(
    (await server.documentOf({ file: "known/similar.md", maxLines: 1, lineNumbers: true })).text,
  ).toBe("<!-- Context: meeting notes -->\n\n1: # Similar");
});

test("[search.get.not-found] an unknown name is answered with at most three similar names, in the documented form", async () => {
  expect(await server.failureOf("get", { file: "notes/meetinsg.md" })).toEqual({
    text: expect.stringMatching(
      /^Document not found: notes\/meetinsg\.md\n\nDid you mean one of these\?\n {2}- notes\/meeting(s?)\.md\n {2}- notes\/meeting(s?)\.md(\n {2}- [^\n]+)?$/,
    ),
    status: 404,
    code: 3,
  });
  for (const file of ["knwon/similar.md", "known/simlar.md", "simlar.md:12"]) {
    const { text } = await server.failureOf("get", { file });
    expect(text, file).toContain("\n  - known/similar.md");
    expect(text.split("\n").length, file).toBeLessThanOrEqual(6);
  }
  const failure = await server.failureOf("get", { file: "logs/log of 2026-0.md" });
  expect(failure.text.match(/^ {2}- .*$/gm)).toEqual([
    "  - logs/log of 2026-01.md",
    "  - logs/log of 2026-02.md",
    "  - logs/log of 2026-03.md",
  ]);
  const { text } = await server.failureOf("get", { file: "q.md" });
  expect(text).toMatch(/^Document not found: q\.md/);
});

test("[search.get.ambiguous] an ambiguous name is an error that lists the candidates", async () => {
  const { text, status, code } = await server.failureOf("get", { file: "plan.md" });

  expect([status, code]).toEqual([400, 2]);
  expect(text).toContain("plan.md");
  expect(text).toContain("\n  - docs/2024/plan.md\n  - docs/2025/plan.md");
});

test("[search.get.fresh] the text is that of the current file, even if it is not indexed yet", async () => {
  server.write("another/path.md", "# Path\n\nChanged.\n");

  expect((await server.documentOf({ file: "another/path.md" })).text).toBe("# Path\n\nChanged.\n");
});

test("[search.get.outside] nothing outside the collections is read", async () => {
  for (const file of ["/etc/passwd", "notes/../../../etc/passwd", "qmd://notes/..%2F..%2Fx"]) {
    const { status, body } = await server.rest("POST /get", { file });
    expect(status, file).toBe(404);
    expect(body.detail).not.toContain("root:");
  }
});
