import { expect, test } from "vitest";
import * as z from "zod";
import { text } from "../../src/kernel/block.ts";
import type { Database } from "../../src/kernel/database.ts";
import { operationsOn } from "../../src/kernel/operation.ts";
import { search } from "../../src/shelves/search/shelf.ts";
import type { SearchState } from "../../src/shelves/search/state.ts";
import type { TitledDocument } from "../../src/shelves/search/storage.ts";
import { shelves } from "../../src/shelves.ts";
import { referencePages } from "../../src/surfaces/reference/pages.ts";
import { openSample } from "../fixtures/sample-library.ts";
import { waysInto } from "./ways-in.ts";

/** What `docs/ARCHITECTURE.md` puts into `storage.ts`. */
function largestDocuments(db: Database, count: number): TitledDocument[] {
  return db.all(
    `SELECT documents.*, title FROM documents JOIN search_documents ON document = documents.id
      ORDER BY size DESC, root, path LIMIT ?`,
    count,
  );
}

/** What it puts into `operations/listing.ts`. */
const operation = operationsOn<SearchState>();

const largest = operation({
  name: "largest_documents",
  title: "Largest documents",
  summary: "The documents that take most room.",
  input: z.object({
    limit: z.int().min(1).max(200).default(10).describe("Most documents").meta({ short: "n" }),
  }),
  output: z.object({ documents: z.array(z.object({ file: z.string(), size: z.int() })) }),
  effect: "reads",
  expose: { mcp: true, http: "GET /documents/largest", cli: "largest" },
  example: { limit: 2 },
  run: ({ limit }, { db }) => ({
    documents: largestDocuments(db, limit).map(({ root, path, size }) => ({
      file: `${root}/${path}`,
      size,
    })),
  }),
  present: ({ documents }) => [
    text(documents.map(({ file, size }) => `${size} ${file}`).join("\n")),
  ],
});

test("[house.operations.worked-example] an operation that is written once is served everywhere", async () => {
  const grown = shelves.map((shelf) =>
    shelf === search ? { ...search, operations: [...search.operations, largest] } : shelf,
  );
  const library = await openSample({}, grown);
  const { rpc, request, tool, shell } = waysInto(library, grown);
  const listed = (await rpc("tools/list", {})).result?.tools as { name: string }[];
  const called = await rpc("tools/call", { name: "largest_documents", arguments: { limit: 1 } });
  const wanted = called.result?.structuredContent as { documents: { file: string }[] };

  expect(listed.find(({ name }) => name === "largest_documents")).toMatchObject({
    inputSchema: { properties: { limit: { default: 10 } } },
    annotations: { readOnlyHint: true },
  });
  expect(wanted.documents).toHaveLength(1);
  expect((await tool("largest_documents", { limit: 1 })).body.data).toEqual(wanted);
  expect((await request("GET", "/documents/largest?limit=1")).body).toMatchObject(wanted);
  expect((await request("GET", "/openapi.json")).body.paths).toHaveProperty("/documents/largest");
  expect((await shell("largest", "-n", "1")).out).toContain(wanted.documents[0]?.file);
  expect(JSON.parse((await shell("largest", "-n", "1", "--json")).out)).toEqual(wanted);
  expect((await shell("--help")).out).toContain("largest");
  expect((await shell("completion", "bash")).out).toContain("largest");
  expect((await shell("man")).out).toContain("largest");
  const page = referencePages(library.catalogue, () => wanted).find(
    ({ file }) => file === "search.md",
  );
  expect(page?.text).toContain("## largest_documents");
  await library.close();
});
