import { afterAll, beforeAll, expect, test } from "vitest";
import { type QmdServer, startQmdServer } from "./qmd-library.ts";

/** Founding document 004: `multi_get`, as a tool, a route and a command. */
let server: QmdServer;

const kilobytes = (count: number, first = "x") => first.repeat(count * 1_024);

beforeAll(async () => {
  server = await startQmdServer(
    {
      "journals/2025-05-01.md": "# First of May\n\nOne.\nTwo.\nThree.\n",
      "journals/2025-05-02.md": "# Second of May\n\nOne.\n",
      "journals/2025-06-01.md": "# June\n\nOne.\n",
      "journals/2025-07-01.md": kilobytes(6),
      "journals/2024-01-01.md": "# Long ago\n",
      "files/file1.md": "# File 1\n",
      "files/file2.md": kilobytes(15),
      "files/file3.md": "# File 3\n",
      "files/exact.md": kilobytes(10),
      "files/over.md": `${kilobytes(10)}x`,
      "told/only.md": "# Only\n\nOne.\n",
      "odd/[id].md": "# Brackets\n",
      "odd/one, two.md": "# Comma\n",
    },
    { told: "What was told" },
  );
});

afterAll(() => server.close());

interface Item {
  type?: string;
  text: string;
  name?: string;
}

/** The results over REST, which must equal the JSON of the command line. */
async function results(input: object): Promise<Item[]> {
  const { status, body } = await server.rest("POST /multi_get", input);
  expect(status, body.detail).toBe(200);
  expect(body.content).toBeNull();
  return body.results as unknown as Item[];
}

/** The content blocks for an agent, which must be the same over stdio and HTTP. */
async function blocks(input: object) {
  const [first, ...others] = await Promise.all(
    server.agents.map(({ call }) => call("multi_get", input)),
  );
  for (const other of others) expect(other).toEqual(first);
  expect(first?.isError).toBeUndefined();
  return first?.content ?? [];
}

const names = (items: readonly Item[]) => items.map(({ name }) => name);

test("[search.multi-get.resources] each file is an embedded resource with uri, name, title, type and text", async () => {
  const expected = {
    uri: "qmd://journals/2025-05-02.md",
    name: "journals/2025-05-02.md",
    title: "Second of May",
    mimeType: "text/markdown",
    text: "# Second of May\n\nOne.\n",
  };

  const found = await blocks({ pattern: "journals/2025-05*.md" });
  expect(found).toHaveLength(2);
  expect(found[1]).toMatchObject({ type: "resource", resource: expected });
  expect((await results({ pattern: "journals/2025-05*.md" }))[1]).toEqual(expected);
});

test("[search.multi-get.patterns] a glob is matched against collection/path and path", async () => {
  const mayFiles = ["journals/2025-05-01.md", "journals/2025-05-02.md"];

  expect(names(await results({ pattern: "journals/2025-05*.md" }))).toEqual(mayFiles);
  expect(names(await results({ pattern: "2025-05*.md" }))).toEqual(mayFiles);
  expect(names(await results({ pattern: "**/2025-05-0[12].md" }))).toEqual(mayFiles);
  expect(names(await results({ pattern: "journals/{2025-05-01,2025-05-02}.md" }))).toEqual(
    mayFiles,
  );
  const shell = await server.qmd("multi-get", "journals/2025-05*.md", "--json");
  expect(names(JSON.parse(shell.stdout))).toEqual(mayFiles);
});

test("[search.multi-get.list] comma-separated names are read in the given order, with or without spaces", async () => {
  expect(names(await results({ pattern: "file3.md, file1.md, told/only.md" }))).toEqual([
    "files/file3.md",
    "files/file1.md",
    "told/only.md",
  ]);
  expect(names(await results({ pattern: "file1.md,file3.md" }))).toHaveLength(2);
  const [hit] = await server.resultsOf("search", { query: "june" });
  expect(names(await results({ pattern: `${hit?.docid}, file1.md` }))).toEqual([
    "journals/2025-06-01.md",
    "files/file1.md",
  ]);
});

const notice = (get: string) =>
  `[SKIPPED: files/file2.md - File too large (15KB). Use '${get}' with file="files/file2.md" to retrieve.]`;

test("[search.multi-get.skip-notice] a file over the limit is named in place of its text, in each surface's wording", async () => {
  const pattern = "file1.md, file2.md, file3.md";
  const answer = await blocks({ pattern });

  expect(answer.map(({ type }) => type)).toEqual(["text", "resource", "text", "resource"]);
  expect(answer[0]?.text).toBe("Errors:\nFile too large: files/file2.md (skipped)");
  expect(answer[2]?.text).toBe(notice("qmd_get"));
  const [first, second, third] = await results({ pattern });
  expect(second).toMatchObject({ type: "text", text: notice("qmd get") });
  expect([first?.name, third?.name]).toEqual(["files/file1.md", "files/file3.md"]);
  const { stdout } = await server.qmd("multi-get", pattern);
  expect(stdout).toContain("File too large: files/file2.md (skipped)");
  expect(stdout).toContain("[SKIPPED: files/file2.md - File too large (15KB).");
});

test("[search.multi-get.max-bytes] files over 10240 bytes are skipped by default", async () => {
  const isSkipped = async (input: object) =>
    Object.fromEntries((await results(input)).map((item, index) => [index, item.type === "text"]));

  expect(await isSkipped({ pattern: "exact.md, over.md" })).toEqual({ 0: false, 1: true });
  expect(await isSkipped({ pattern: "exact.md, over.md", max_bytes: 10_241 })).toEqual({
    0: false,
    1: false,
  });
  expect(await isSkipped({ pattern: "file1.md, exact.md", max_bytes: 10_239 })).toEqual({
    0: false,
    1: true,
  });
});

test("[search.multi-get.glob-example] the documented test case: files with this prefix and at most 5 KB", async () => {
  const answer = await blocks({ pattern: "journals/2025-*.md", maxBytes: 5_120 });

  expect(answer[0]?.text).toBe("Errors:\nFile too large: journals/2025-07-01.md (skipped)");
  expect(answer.slice(1).map(({ resource, text }) => resource?.name ?? text)).toEqual([
    "journals/2025-05-01.md",
    "journals/2025-05-02.md",
    "journals/2025-06-01.md",
    `[SKIPPED: journals/2025-07-01.md - File too large (6KB). Use 'qmd_get' with file="journals/2025-07-01.md" to retrieve.]`,
  ]);
});

test("[search.multi-get.truncated] truncated text states the number of missing lines, in each surface's wording", async () => {
  const [pattern, shown] = ["2025-05-01.md", "# First of May\n\nOne.\n\n"];

  // By the document's numbering, an empty line follows the last line end.
  expect((await blocks({ pattern, maxLines: 3 }))[0]?.resource.text).toBe(
    `${shown}[... truncated 3 more lines]`,
  );
  const [item] = await results({ pattern, max_lines: 3 });
  expect(item?.text).toBe(`${shown}[...truncated 3 more lines]`);
  const [full] = await results({ pattern, max_lines: 50 });
  expect(full?.text).toBe("# First of May\n\nOne.\nTwo.\nThree.\n");
});

test("[search.multi-get.numbers] lines are numbered only on request", async () => {
  const [item] = await results({ pattern: "2025-05-02.md", line_numbers: true });
  expect(item?.text).toMatch(/^1: # Second of May\n2: \n3: One\./);
  const [block] = await blocks({ pattern: "2025-05-02.md", lineNumbers: true });
  expect(block?.resource.text).toBe(item?.text);
  expect((await server.qmd("multi-get", "2025-05-02.md", "--line-numbers")).stdout).toMatch(
    /^1: # Second of May\n2: \n3: One\./m,
  );
});

test("[search.multi-get.context] the context of the folder precedes the text", async () => {
  const [item] = await results({ pattern: "told/*.md" });

  expect(item?.text).toBe("<!-- Context: What was told -->\n\n# Only\n\nOne.\n");
});

test("[search.multi-get.errors-first] files not found are reported first, and the rest is read", async () => {
  const answer = await blocks({ pattern: "file1.md, gone.md, file2.md" });

  expect(answer[0]?.text).toBe(
    "Errors:\nDocument not found: gone.md\nFile too large: files/file2.md (skipped)",
  );
  expect(answer[1]?.resource.name).toBe("files/file1.md");
  const { body } = await server.rest("POST /multi_get", { pattern: "file1.md, gone.md" });
  expect(body).toMatchObject({ errors: ["Document not found: gone.md"] });
});

test("[search.multi-get.nothing] a pattern without a match is an error on every surface", async () => {
  expect(await server.failureOf("multi_get", { pattern: "none/*.md" })).toEqual({
    text: "No files matched pattern: none/*.md",
    status: 404,
    code: 3,
  });
  const { text } = await server.failureOf("multi_get", { pattern: "gone.md, lost.md" });
  expect(text).toMatch(/^No files matched pattern: gone\.md, lost\.md/);
});

test("[search.multi-get.own-names] the file of a result is read by its name, whatever characters it contains", async () => {
  for (const pattern of ["odd/[id].md", "odd/one, two.md"]) {
    const { status, body } = await server.rest("POST /multi_get", { pattern });
    expect(status, body.detail).toBe(200);
    expect(body.results, pattern).toMatchObject([{ name: pattern }]);
  }
});

test("[search.multi-get.only-skipped] REST's `content` is null even if every file is skipped", async () => {
  const { body } = await server.rest("POST /multi_get", { pattern: "files/file2.md" });

  expect(body.results).toMatchObject([{ type: "text", text: notice("qmd get") }]);
  expect(body.content).toBeNull();
});
