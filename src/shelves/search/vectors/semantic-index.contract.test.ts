import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { randomNumbers } from "../../../../tests/fixtures/random-numbers.ts";
import { describeEveryStore, scriptOf } from "../../../../tests/fixtures/stores/every-store.ts";
import { documentTables } from "../../../kernel/documents/documents.ts";
import { incrementRevision } from "../../../kernel/documents/revision.ts";
import { type Database, openDatabase } from "../../../kernel/storage/database.ts";
import { openSqliteStore, runSteps } from "../../../kernel/storage/sqlite-store.ts";
import { all, get, run as runStatement, type Steps } from "../../../kernel/storage/steps.ts";
import type { Store } from "../../../kernel/storage/store.ts";
import { vectorTables } from "../../../kernel/vectors/vector-store.ts";
import { deleteChunks, saveChunks } from "../storage-chunks.ts";
import { searchTables } from "../tables.ts";
import {
  createSemanticIndex,
  findNearestChunks,
  modelKey,
  type NearestOptions,
} from "./semantic-index.ts";

const dimensions = 48;

const embedder = { id: "test", weights: "", dimensions };
const tables = `${scriptOf(documentTables, searchTables)}; ${vectorTables("kept")}`;

describeEveryStore(tables, (openStore, dialect) => {
  /** Each statement takes longer in PostgreSQL. */
  const [many, steps] = dialect === "sqlite" ? [1_000, 1_500] : [100, 150];

  test("[search.filter.loses-nothing] a tiny collection beside 20,000 vectors is searched as if it were alone", async () => {
    const library = openSmallLibrary(await openStore(), 1);
    const query = library.anyVector();
    for (let number = 0; number < many; number++) {
      // All of them are nearer than any in the tiny collection.
      await library.cut(
        "huge",
        Array.from({ length: 20 }, () => ({ vector: library.near(query) })),
      );
    }
    for (let number = 0; number < 5; number++) {
      await library.cut("tiny", [{ vector: library.anyVector() }, { vector: library.anyVector() }]);
    }

    const found = await library.find(query, { limit: 10, roots: ["tiny"] });

    expect(found).toHaveLength(5);
    expect(found).toEqual(await library.byLookingAtAll(query, { limit: 10, roots: ["tiny"] }));
    const several = { limit: 10, roots: ["tiny"], perDocument: 2 };
    expect(await library.find(query, several)).toEqual(
      await library.byLookingAtAll(query, several),
    );
    expect(await library.find(query, several)).toHaveLength(10);
  });

  test("[search.vectors.per-document] a document with many close chunks does not crowd out others", async () => {
    const library = openSmallLibrary(await openStore(), 2);
    const query = library.anyVector();
    await library.cut(
      "docs",
      Array.from({ length: 5_000 }, () => ({ vector: library.near(query) })),
    );
    for (let number = 0; number < 20; number++)
      await library.cut("docs", [{ vector: library.anyVector() }]);

    for (const perDocument of [1, 3]) {
      const found = await library.find(query, { limit: 15, perDocument });
      expect(found).toEqual(await library.byLookingAtAll(query, { limit: 15, perDocument }));
      expect(found).toHaveLength(15);
    }
  });

  test("a text shared by a thousand documents is found in each requested one", async () => {
    const library = openSmallLibrary(await openStore(), 3);
    const shared = library.anyVector();
    const documents: number[] = [];
    while (documents.length < many) {
      const pieces = [{ vector: shared }, { vector: library.anyVector() }];
      documents.push(await library.cut("docs", pieces));
    }
    const some = documents.filter((_, place) => place % 50 === 7);

    expect(await library.find(shared, { limit: 20, documents: some })).toEqual(
      await library.byLookingAtAll(shared, { limit: 20, documents: some }),
    );
    const everywhere = (await library.find(shared, { limit: many })).map(
      ({ document }) => document,
    );
    expect(everywhere.sort((a, b) => a - b)).toEqual(documents);
  });

  test("[search.vectors.selection] after any sequence of changes, a search finds what an exhaustive scan finds", async () => {
    const library = openSmallLibrary(await openStore(), 4);
    const { random, pick } = library;
    const pool = Array.from({ length: 120 }, () => library.anyVector());
    const roots = ["one", "two", "three"];
    const cutAnew = async (document?: number) => {
      const chunks = Array.from({ length: 1 + Math.floor(random() * 6) }, () => ({
        vector: random() < 0.5 ? pick(pool) : library.anyVector(),
        isEnglish: random() < 0.7,
      }));
      await library.cut(pick(roots), chunks, document);
    };
    for (let number = 0; number < 40; number++) await cutAnew();
    for (let step = 0; step < steps; step++) {
      const kind = random();
      const document = pick(library.documents());
      if (kind < 0.1) await cutAnew();
      else if (kind < 0.2) await cutAnew(document);
      else if (kind < 0.25) await library.change(document);
      else if (kind < 0.3) await library.move(document, pick(roots));
      else if (kind < 0.35 && library.documents().length > 20) await library.remove(document);
      else if (kind < 0.37) await library.tidy();
      const some = library.documents().filter(() => random() < 0.3);
      const options = {
        limit: 1 + Math.floor(random() * 12),
        perDocument: random() < 0.5 ? undefined : 1 + Math.floor(random() * 4),
        roots: random() < 0.5 ? undefined : roots.filter(() => random() < 0.4),
        documents: random() < 0.5 ? undefined : some,
        englishOnly: random() < 0.5,
      };
      const query = pick(pool);

      expect(await library.find(query, options)).toEqual(
        await library.byLookingAtAll(query, options),
      );
    }
  });

  test("searches that overlap each find all that was added before they began", async () => {
    const library = openSmallLibrary(await openStore(), 6);
    const vector = library.anyVector();
    const expected: number[] = [];
    for (let round = 0; round < 5; round++) {
      expected.push(await library.cut("docs", [{ vector }, { vector: library.anyVector() }]));
      const searches = Array.from({ length: 4 }, () => library.find(vector, { limit: 10 }));
      const adding = library.cut("more", [{ vector: library.anyVector() }]);
      for (const found of await Promise.all(searches)) {
        const exact = found.filter(({ score }) => score === 1).map(({ document }) => document);
        expect(exact.sort((a, b) => a - b)).toEqual(expected);
      }
      await adding;
    }
    expect(await library.find(vector, { limit: 10 })).toHaveLength(10);
    const query = library.anyVector();
    expect(await library.find(query, { limit: 10 })).toEqual(
      await library.byLookingAtAll(query, { limit: 10 }),
    );
  });
});

test("[search.embed.coverage] documents with vectors are counted once until something is written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-coverage-"));
  const path = join(folder, "store.sqlite");
  const [db, other] = [openDatabase(path), openDatabase(path)];
  db.exec(tables);
  const library = openSmallLibrary(openSqliteStore(db), 5);
  onTestFinished(() => {
    db.close();
    other.close();
    rmSync(folder, { recursive: true });
  });
  const chunks = () => [{ vector: library.anyVector() }];
  const first = await library.cut("one", chunks());
  await library.cut("two", chunks());
  const missing = await library.cut("two", chunks());
  await library.change(missing);

  const counts: number[] = [];
  const watched: Database = {
    ...db,
    get: (sql, ...values) => {
      if (sql.includes("AS embedded")) counts.push(1);
      return db.get(sql, ...values);
    },
  };
  const { coverage } = createSemanticIndex({ models: { embedder } });
  const expectCoverage = (documents: number, embedded: number, ...roots: string[]) =>
    expect(runSteps(watched, coverage(roots))).toEqual({ documents, embedded });
  for (let call = 0; call < 3; call++) {
    expectCoverage(3, 2, "one", "two");
    expectCoverage(2, 1, "two");
  }
  expect(counts).toHaveLength(2);

  await library.cut("two", chunks(), missing);
  expectCoverage(3, 3, "one", "two");
  runSteps(other, deleteChunks([first]));
  expectCoverage(3, 2, "one", "two");
  expect(counts).toHaveLength(4);
});

interface Piece {
  vector: Float32Array;
  isEnglish?: boolean;
}

/** Documents with given vectors, in a store and in a plain list. */
function openSmallLibrary(home: Store, seed: number) {
  const random = randomNumbers(seed);
  const run = async <Result>(steps: Steps<Result>): Promise<Result> => await home.run(steps);
  const semanticIndex = createSemanticIndex({ models: { embedder } });
  const store = semanticIndex.vectorStoreOf(embedder);
  const kept = new Map<number, { root: string; chunks: (Piece & { number: number })[] }>();
  const hashes = new Map<Float32Array, string>();
  let made = 0;

  const hashOf = (vector: Float32Array): string => {
    const hash = hashes.get(vector) ?? String(hashes.size);
    hashes.set(vector, hash);
    return hash;
  };
  const anyVector = () => Float32Array.from({ length: dimensions }, () => random() * 2 - 1);

  return {
    random,
    pick: <Item>(items: readonly Item[]): Item => {
      const item = items[Math.floor(random() * items.length)];
      if (item === undefined) throw new Error("There is nothing to pick from.");
      return item;
    },
    anyVector,
    near: (vector: Float32Array) => vector.map((value) => value + random() - 0.5),
    documents: () => [...kept.keys()],
    tidy: () => run(semanticIndex.dropUnusedVectors()),

    /** A new document, or new text for an existing one. */
    async cut(root: string, pieces: readonly Piece[], old?: number): Promise<number> {
      const added = new Map(pieces.map(({ vector }) => [hashOf(vector), vector]));
      await run(store.saveVectors(added));
      const ids = await run(store.idsOf([...added.keys()]));
      const document = old ?? (await addDocument(root));
      const chunks = pieces.map((piece) => ({ ...piece, number: ++made }));
      const rows = chunks.map(({ vector, isEnglish = true, number }) => ({
        ...{ line: number, endLine: number, headings: [], text: `Chunk ${number}`, isEnglish },
        vector: ids.get(hashOf(vector)) ?? 0,
      }));
      await run(saveChunks(document, rows, modelKey(embedder)));
      kept.set(document, { root: kept.get(document)?.root ?? root, chunks });
      return document;
    },
    /** Marks its file as changed and not yet split into chunks. */
    async change(document: number): Promise<void> {
      await run(deleteChunks([document]));
      await run(incrementRevision());
      kept.set(document, { root: kept.get(document)?.root ?? "", chunks: [] });
    },
    async move(document: number, root: string): Promise<void> {
      await run(runStatement("UPDATE documents SET root = ? WHERE id = ?", root, document));
      await run(incrementRevision());
      kept.set(document, { root, chunks: kept.get(document)?.chunks ?? [] });
    },
    async remove(document: number): Promise<void> {
      await run(deleteChunks([document]));
      await run(runStatement("DELETE FROM documents WHERE id = ?", document));
      await run(incrementRevision());
      kept.delete(document);
    },

    find: async (query: Float32Array, options: NearestOptions) =>
      (await run(findNearestChunks({ semanticIndex }, query, options))).map(
        ({ document, score, passage }) => ({
          document,
          score,
          number: passage.line,
        }),
      ),
    async byLookingAtAll(query: Float32Array, options: NearestOptions) {
      const { roots, documents, englishOnly = false, perDocument = 1, limit } = options;
      const given = new Map<number, number>();
      const rows = await run(all<{ id: number }>("SELECT id FROM documents ORDER BY root, path"));
      const inOrder = rows.map(({ id }) => id);
      const positionOf = (document: number) => inOrder.indexOf(document);
      return [...kept]
        .filter(([, { root }]) => roots?.includes(root) ?? true)
        .filter(([document]) => documents?.includes(document) ?? true)
        .flatMap(([document, { chunks }]) =>
          chunks
            .filter(({ isEnglish = true }) => isEnglish || !englishOnly)
            .map(({ vector, number }) => ({ document, cosine: cosine(query, vector), number })),
        )
        .sort(
          (a, b) =>
            b.cosine - a.cosine ||
            positionOf(a.document) - positionOf(b.document) ||
            a.number - b.number,
        )
        .filter(({ document }) => {
          given.set(document, (given.get(document) ?? 0) + 1);
          return (given.get(document) ?? 0) <= perDocument;
        })
        .slice(0, limit)
        .map(({ cosine, ...chunk }) => ({ ...chunk, score: Math.min(1, Math.max(0, cosine)) }));
    },
  };

  async function addDocument(root: string): Promise<number> {
    await run(incrementRevision());
    const row = await run(
      get<{ id: number }>(
        `INSERT INTO documents (root, path, hash, size, modified, seen) VALUES (?, ?, '', 0, 0, 0) RETURNING id`,
        root,
        `${made}.md`,
      ),
    );
    return row?.id ?? 0;
  }
}

function cosine(one: Float32Array, other: Float32Array): number {
  const product = (a: Float32Array, b: Float32Array) =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  return product(one, other) / Math.sqrt(product(one, one) * product(other, other));
}
