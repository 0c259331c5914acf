import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { randomNumbers } from "../../../../tests/fixtures/random-numbers.ts";
import { documentTables } from "../../../kernel/documents/documents.ts";
import { incrementRevision, readRevision } from "../../../kernel/documents/revision.ts";
import { type Database, openDatabase } from "../../../kernel/storage/database.ts";
import { derivedTables, migrate } from "../../../kernel/storage/migrations.ts";
import { runSteps } from "../../../kernel/storage/sqlite-store.ts";
import type { Steps } from "../../../kernel/storage/steps.ts";
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

test("[search.filter.loses-nothing] a tiny collection beside 20,000 vectors is searched as if it were alone", () => {
  const library = openSmallLibrary(1);
  const query = library.anyVector();
  for (let number = 0; number < 1_000; number++) {
    // All of them are nearer than any in the tiny collection.
    library.cut(
      "huge",
      Array.from({ length: 20 }, () => ({ vector: library.near(query) })),
    );
  }
  for (let number = 0; number < 5; number++) {
    library.cut("tiny", [{ vector: library.anyVector() }, { vector: library.anyVector() }]);
  }

  const found = library.find(query, { limit: 10, roots: ["tiny"] });

  expect(found).toHaveLength(5);
  expect(found).toEqual(library.byLookingAtAll(query, { limit: 10, roots: ["tiny"] }));
  const several = { limit: 10, roots: ["tiny"], perDocument: 2 };
  expect(library.find(query, several)).toEqual(library.byLookingAtAll(query, several));
  expect(library.find(query, several)).toHaveLength(10);
});

test("[search.vectors.per-document] a document with many close chunks does not crowd out others", () => {
  const library = openSmallLibrary(2);
  const query = library.anyVector();
  library.cut(
    "docs",
    Array.from({ length: 5_000 }, () => ({ vector: library.near(query) })),
  );
  for (let number = 0; number < 20; number++)
    library.cut("docs", [{ vector: library.anyVector() }]);

  for (const perDocument of [1, 3]) {
    const found = library.find(query, { limit: 15, perDocument });
    expect(found).toEqual(library.byLookingAtAll(query, { limit: 15, perDocument }));
    expect(found).toHaveLength(15);
  }
});

test("a text shared by a thousand documents is found in each requested one", () => {
  const library = openSmallLibrary(3);
  const shared = library.anyVector();
  const documents = Array.from({ length: 1_000 }, () =>
    library.cut("docs", [{ vector: shared }, { vector: library.anyVector() }]),
  );
  const some = documents.filter((_, place) => place % 100 === 7);

  expect(library.find(shared, { limit: 20, documents: some })).toEqual(
    library.byLookingAtAll(shared, { limit: 20, documents: some }),
  );
  const everywhere = library.find(shared, { limit: 1_000 }).map(({ document }) => document);
  expect(everywhere.sort((a, b) => a - b)).toEqual(documents);
});

test("[search.vectors.selection] after any sequence of changes, a search finds what an exhaustive scan finds", () => {
  const library = openSmallLibrary(4);
  const { random, pick } = library;
  const pool = Array.from({ length: 120 }, () => library.anyVector());
  const roots = ["one", "two", "three"];
  const cutAnew = (document?: number) => {
    const chunks = Array.from({ length: 1 + Math.floor(random() * 6) }, () => ({
      vector: random() < 0.5 ? pick(pool) : library.anyVector(),
      isEnglish: random() < 0.7,
    }));
    library.cut(pick(roots), chunks, document);
  };
  for (let number = 0; number < 40; number++) cutAnew();
  for (let step = 0; step < 1_500; step++) {
    const kind = random();
    const document = pick(library.documents());
    if (kind < 0.1) cutAnew();
    else if (kind < 0.2) cutAnew(document);
    else if (kind < 0.25) library.change(document);
    else if (kind < 0.3) library.move(document, pick(roots));
    else if (kind < 0.35 && library.documents().length > 20) library.remove(document);
    else if (kind < 0.37) library.tidy();
    const some = library.documents().filter(() => random() < 0.3);
    const options = {
      limit: 1 + Math.floor(random() * 12),
      perDocument: random() < 0.5 ? undefined : 1 + Math.floor(random() * 4),
      roots: random() < 0.5 ? undefined : roots.filter(() => random() < 0.4),
      documents: random() < 0.5 ? undefined : some,
      englishOnly: random() < 0.5,
    };
    const query = pick(pool);

    expect(library.find(query, options)).toEqual(library.byLookingAtAll(query, options));
  }
});

test("[search.embed.coverage] documents with vectors are counted once until something is written", () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-coverage-"));
  const path = join(folder, "store.sqlite");
  const library = openSmallLibrary(5, path);
  const other = openDatabase(path);
  onTestFinished(() => {
    library.db.close();
    other.close();
    rmSync(folder, { recursive: true });
  });
  const chunks = () => [{ vector: library.anyVector() }];
  const [first] = [library.cut("one", chunks()), library.cut("two", chunks())];
  const missing = library.cut("two", chunks());
  library.change(missing);

  const counts: number[] = [];
  const db: Database = {
    ...library.db,
    get: (sql, ...values) => {
      if (sql.includes("AS embedded")) counts.push(1);
      return library.db.get(sql, ...values);
    },
  };
  const { coverage } = createSemanticIndex({ ...library.services, db });
  const expectCoverage = (documents: number, embedded: number, ...roots: string[]) =>
    expect(runSteps(db, coverage(roots))).toEqual({ documents, embedded });
  for (let call = 0; call < 3; call++) {
    expectCoverage(3, 2, "one", "two");
    expectCoverage(2, 1, "two");
  }
  expect(counts).toHaveLength(2);

  library.cut("two", chunks(), missing);
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
function openSmallLibrary(seed: number, path = ":memory:") {
  const random = randomNumbers(seed);
  const db = openDatabase(path);
  migrate(db, [
    { owner: "documents", tables: documentTables },
    { owner: "vectors", tables: derivedTables(1, vectorTables("kept")) },
    { owner: "search", tables: searchTables },
  ]);
  const embedder = { id: "test", weights: "", dimensions };
  const run = <Result>(steps: Steps<Result>): Result => runSteps(db, steps);
  const services = { db, revision: readRevision, models: { embedder } };
  const semanticIndex = createSemanticIndex(services);
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
    db,
    services,
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
    cut(root: string, pieces: readonly Piece[], old?: number): number {
      store.saveVectors(new Map(pieces.map(({ vector }) => [hashOf(vector), vector])));
      const ids = store.idsOf(pieces.map(({ vector }) => hashOf(vector)));
      const document = old ?? addDocument(root);
      const chunks = pieces.map((piece) => ({ ...piece, number: ++made }));
      const rows = chunks.map(({ vector, isEnglish = true, number }) => ({
        ...{ line: number, endLine: number, headings: [], text: `Chunk ${number}`, isEnglish },
        vector: ids.get(hashOf(vector)) ?? 0,
      }));
      run(saveChunks(document, rows, modelKey(embedder)));
      kept.set(document, { root: kept.get(document)?.root ?? root, chunks });
      return document;
    },
    /** Marks its file as changed and not yet split into chunks. */
    change(document: number): void {
      run(deleteChunks([document]));
      run(incrementRevision());
      kept.set(document, { root: kept.get(document)?.root ?? "", chunks: [] });
    },
    move(document: number, root: string): void {
      db.run("UPDATE documents SET root = ? WHERE id = ?", root, document);
      run(incrementRevision());
      kept.set(document, { root, chunks: kept.get(document)?.chunks ?? [] });
    },
    remove(document: number): void {
      run(deleteChunks([document]));
      db.run("DELETE FROM documents WHERE id = ?", document);
      run(incrementRevision());
      kept.delete(document);
    },

    find: (query: Float32Array, options: NearestOptions) =>
      run(findNearestChunks({ semanticIndex }, query, options)).map(
        ({ document, score, passage }) => ({
          document,
          score,
          number: passage.line,
        }),
      ),
    byLookingAtAll(query: Float32Array, options: NearestOptions) {
      const { roots, documents, englishOnly = false, perDocument = 1, limit } = options;
      const given = new Map<number, number>();
      const inOrder = db
        .all<{ id: number }>("SELECT id FROM documents ORDER BY root, path")
        .map(({ id }) => id);
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

  function addDocument(root: string): number {
    run(incrementRevision());
    return db.run(
      `INSERT INTO documents (root, path, hash, size, modified, seen) VALUES (?, ?, '', 0, 0, 0)`,
      root,
      `${made}.md`,
    ).lastId;
  }
}

function cosine(one: Float32Array, other: Float32Array): number {
  const product = (a: Float32Array, b: Float32Array) =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  return product(one, other) / Math.sqrt(product(one, one) * product(other, other));
}
