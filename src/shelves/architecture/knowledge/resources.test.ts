import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type ArchitectureLibrary,
  adrs,
  architectureLibrary,
  guidelines,
  patterns,
  smallTree,
} from "../../../../tests/fixtures/architecture/architecture-library.ts";
import { record } from "../../../../tests/fixtures/architecture/decision-library.ts";

interface Entry {
  uri: string;
  name: string;
  description: string;
  size: number;
  mimeType: string;
  annotations: { lastModified: string };
  _meta: Record<string, string>;
}

async function listed({ rpc }: ArchitectureLibrary): Promise<Entry[]> {
  const { result } = await rpc("resources/list", {});
  return (result?.resources ?? []) as Entry[];
}

const urisOf = async (library: ArchitectureLibrary): Promise<string[]> =>
  (await listed(library)).map(({ uri }) => uri);

async function read({ rpc }: ArchitectureLibrary, uri: string): Promise<string> {
  const { result, error } = await rpc("resources/read", { uri });
  const [content] = (result?.contents ?? []) as { text: string; mimeType: string }[];
  return content?.text ?? `${error?.code} ${error?.message}`;
}

const missing = "-32602 Resource not found";

test("[architecture.resources.scan] Markdown below the three folders is listed, at any depth and in any script", async () => {
  const library = architectureLibrary({
    ...smallTree,
    [`${guidelines}/安全/鍵の管理.MD`]: "鍵は金庫に置く。コードに書かない。",
    [`${patterns}/notes.txt`]: "# No document",
    [`${patterns}/.hidden.md`]: "# Hidden",
    "mcp/resources/others/x.md": "# Of no kind",
  });

  expect(await urisOf(library)).toEqual([
    "architecture://guidelines/api-design",
    `architecture://guidelines/${encodeURIComponent("安全")}/${encodeURIComponent("鍵の管理")}`,
    "architecture://patterns/data/unit-of-work",
    "architecture://patterns/repository-pattern",
    "architecture://adr/001-microservices-architecture",
    "architecture://adr/010-event-bus",
  ]);
  const [, japanese] = await listed(library);
  expect(japanese).toMatchObject({ name: "鍵の管理", description: "Guideline: 鍵の管理" });
  expect(await read(library, japanese?.uri ?? "")).toContain("金庫");
  expect(await read(library, "architecture://guidelines/安全/鍵の管理")).toContain("金庫");
});

test("[architecture.resources.unique-uris] files that differ only in the case of their extension have different names", async () => {
  const twins = { "a.MD": "# Loud", "a.md": "# Quiet", "a.MD.md": "# Long" };
  const library = architectureLibrary({
    ...Object.fromEntries(
      Object.entries(twins).map(([name, text]) => [`${patterns}/${name}`, text]),
    ),
    "docs/adr/0001-b.markdown": record("1. First"),
    "docs/adr/0001-b.MD": record("1. Second"),
    "docs/adr/0001-b.md": record("1. Third"),
  });
  const uris = await urisOf(library);
  expect(new Set(uris).size).toBe(6);
  const titles = await Promise.all(uris.map((uri) => read(library, uri)));
  expect(titles.map((text) => text.split("\n")[0]).sort()).toEqual(
    ["# Loud", "# Quiet", "# Long", "# 1. First", "# 1. Second", "# 1. Third"].sort(),
  );
  expect(await read(library, "architecture://patterns/a")).toBe("# Quiet");
});

test("[architecture.resources.entry] an entry has title, kind, type, size, time and checksum, and no path", async () => {
  const library = architectureLibrary(smallTree);
  const entries = await listed(library);
  const entry = entries.find(({ uri }) => uri.endsWith("repository-pattern"));

  expect(entry).toMatchObject({
    name: "Repository pattern",
    description: "Pattern: Repository pattern",
    mimeType: "text/markdown",
    size: smallTree[`${patterns}/repository-pattern.md`]?.length,
    annotations: { lastModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
    _meta: { category: "pattern", checksum: expect.stringMatching(/^[0-9a-f]{32}$/) },
  });
  expect(entries.map(({ description }) => description.split(":")[0])).toEqual([
    "Guideline",
    "Pattern",
    "Pattern",
    "Adr",
    "Adr",
  ]);
  expect(JSON.stringify(entries)).not.toContain(library.root);
  expect(JSON.stringify(entries)).not.toContain("mcp/resources");
});

test("[architecture.resources.order] the list order is stable, and its pages have no gaps", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 130 }, (_, n) => [`${patterns}/p${n}.md`, `# P${n}\n`]),
  );
  const library = architectureLibrary(many);
  const seen: string[] = [];
  for (let cursor: unknown; ; ) {
    const { result } = await library.rpc("resources/list", cursor === undefined ? {} : { cursor });
    seen.push(...((result?.resources ?? []) as Entry[]).map(({ uri }) => uri));
    cursor = result?.nextCursor;
    if (cursor === undefined) break;
  }

  expect(seen).toEqual([...seen].sort());
  expect(new Set(seen).size).toBe(130);
});

test("[architecture.resources.uris] a document is read by its slug, case-insensitive and with or without extension, a decision by its number", async () => {
  const library = architectureLibrary(smallTree);
  for (const name of [
    "001-microservices-architecture",
    "001",
    "1",
    "0001",
    "adr-1",
    "ADR-001",
    "001.md",
  ]) {
    expect([name, await read(library, `architecture://adr/${name}`)]).toEqual([
      name,
      smallTree[`${adrs}/001-microservices-architecture.md`],
    ]);
  }
  for (const name of [
    "repository-pattern",
    "repository-pattern.md",
    "Repository-Pattern",
    "repository%2Dpattern",
  ]) {
    expect(await read(library, `architecture://patterns/${name}`)).toContain("behind a collection");
  }
  expect(await read(library, "architecture://patterns/data%2Funit-of-work")).toContain(
    "transaction",
  );
});

test("[architecture.resources.never-guess] an ambiguous or partial name is not resolved", async () => {
  const library = architectureLibrary({
    ...smallTree,
    [`${adrs}/010-another-bus.md`]: "# 10. Another bus\n\n## Status\n\nAccepted\n",
  });
  for (const name of ["10", "010", "01", "event", "bus", "00", "100"]) {
    const uri = `architecture://adr/${name}`;
    const isOne = name === "01";
    expect([name, await read(library, uri)]).toEqual([
      name,
      isOne ? smallTree[`${adrs}/001-microservices-architecture.md`] : missing,
    ]);
  }
});

test("[architecture.resources.sections] a heading anchor returns its section, with subsections", async () => {
  const library = architectureLibrary({
    [`${patterns}/p.md`]: "# P\n\n## One\n\na\n\n### Inner\n\nb\n\n## One\n\nc\n\n## Two\n\nd",
  });

  expect(await read(library, "architecture://patterns/p#one")).toBe(
    "## One\n\na\n\n### Inner\n\nb\n",
  );
  expect(await read(library, "architecture://patterns/p.md#one-1")).toBe("## One\n\nc\n");
  expect(await read(library, "architecture://patterns/p#two")).toBe("## Two\n\nd");
  expect(await read(library, "architecture://patterns/p#three")).toBe(missing);
});

describe("[architecture.resources.not-found] malformed, outside and missing URIs return the same error", () => {
  const uris = [
    "architecture://patterns/nowhere",
    "architecture://patterns/",
    "architecture://patterns",
    "architecture://",
    "architecture://others/x",
    "architecture://patterns/../adr/001",
    "architecture://patterns/%2e%2e/secret",
    "architecture://patterns/..%2f..%2f..%2fsecret",
    "architecture://patterns/..\\..\\secret",
    "architecture://patterns//repository-pattern",
    "architecture://patterns/./repository-pattern",
    "architecture://patterns/repository-pattern%00",
    "architecture://patterns/%ff",
    "architecture://patterns/%252e%252e%252fsecret",
    "architecture:///etc/passwd",
    `architecture://patterns/${"a/".repeat(5_000)}`,
    "architecture://patterns/*",
    "file:///etc/passwd",
    "nonsense",
  ];
  for (const uri of uris) {
    test(uri.slice(0, 60), async () => {
      const library = architectureLibrary({ ...smallTree, secret: "s3cret" });
      const { error } = await library.rpc("resources/read", { uri });

      expect(error).toMatchObject({ code: -32602, message: "Resource not found" });
      expect(JSON.stringify(error)).not.toContain("s3cret");
      expect(JSON.stringify(error)).not.toContain(library.root);
      expect(JSON.stringify(error)).not.toContain("    at ");
    });
  }
});

test("[architecture.resources.outside] a link that leaves mcp/resources is not followed", async () => {
  const library = architectureLibrary({
    ...smallTree,
    "secret.md": "# Secret\n",
    "else/s.md": "# S\n",
  });
  symlinkSync(join(library.root, "secret.md"), join(library.root, patterns, "stolen.md"));
  symlinkSync(join(library.root, "else"), join(library.root, patterns, "folder"));
  symlinkSync("repository-pattern.md", join(library.root, patterns, "other-name.md"));

  const uris = await urisOf(library);
  expect(uris.filter((uri) => /stolen|folder/.test(uri))).toEqual([]);
  expect(uris).toContain("architecture://patterns/other-name");
  expect(await read(library, "architecture://patterns/stolen")).toBe(missing);
});

test("[architecture.resources.unusable] a file that is empty or not text is skipped and logged", async () => {
  const library = architectureLibrary({
    ...smallTree,
    [`${patterns}/empty.md`]: " \n",
    [`${patterns}/binary.md`]: new Uint8Array([35, 0, 1, 2]),
    [`${patterns}/utf16.md`]: Buffer.from("\uFEFF# Über\n", "utf16le"),
  });
  const uris = await urisOf(library);

  expect(uris.filter((uri) => /empty|binary/.test(uri))).toEqual([]);
  expect(await read(library, "architecture://patterns/utf16")).toBe("# Über\n");
  expect(library.logged.filter((line) => /WARN a document is skipped/.test(line)).length).toBe(2);
});

test("[architecture.resources.elsewhere] decisions in other project folders are resources too", async () => {
  const record = (title: string) =>
    `# ${title}\n\n## Status\n\nAccepted\n\n## Context\n\n## Decision\n\n## Consequences\n`;
  const library = architectureLibrary({
    ...smallTree,
    "docs/adr/0007-use-queues.md": record("7. Use queues"),
    "docs/adr/010-event-bus.md": record("10. The same name elsewhere"),
  });
  const uris = await urisOf(library);

  expect(uris.filter((uri) => uri.startsWith("architecture://adr/"))).toEqual([
    "architecture://adr/0007-use-queues",
    "architecture://adr/001-microservices-architecture",
    "architecture://adr/010-event-bus",
    "architecture://adr/docs/adr/010-event-bus",
  ]);
  expect(await read(library, "architecture://adr/7")).toContain("Use queues");
  library.write("docs/adr/0007-use-queues.md", record("7. Use topics"));
  expect(await read(library, "architecture://adr/7")).toContain("Use topics");
});

test("[architecture.resources.force-root] with a force root nothing outside it is read", async () => {
  const outside = architectureLibrary(smallTree);
  const inner = join(outside.root, "inner");
  mkdirSync(join(inner, patterns), { recursive: true });
  writeFileSync(join(inner, patterns, "inner.md"), "# Inner\n");
  const library = architectureLibrary({}, { forceRoot: inner, root: outside.root });

  expect(await urisOf(library)).toEqual(["architecture://patterns/inner"]);
});

test("a missing root has no documents, and only the built-in prompts", async () => {
  const library = architectureLibrary({}, { root: "nowhere" });

  expect(await listed(library)).toEqual([]);
  expect(await library.prompt("suggest-patterns", { problem: "p" })).toContain("No documents");
});
