import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openLocalEmbedder } from "../../src/kernel/models/embedder.ts";
import { openModelRunner } from "../../src/kernel/models/local/model-runner.ts";
import { openDatabase } from "../../src/kernel/storage/database.ts";
import { openSqliteStore } from "../../src/kernel/storage/sqlite-store.ts";
import { openVectorSet } from "../../src/kernel/vectors/vector-set.ts";
import { openVectorStore, vectorTables } from "../../src/kernel/vectors/vector-store.ts";
import { embeddingInput, splitIntoChunks } from "../../src/text/search/chunks.ts";
import { splitLines } from "../../src/text/strings/lines.ts";
import { pages, queriesFrom } from "./corpus.ts";
import { median, quantile } from "./home.ts";
import { ms, type Section, type Target, table, times } from "./page.ts";
import { openSqliteVec, sqliteVecName } from "./sqlite-vec.ts";

const title = "Vector search";
const dimensions = 384;
const vectorCount = 100_000;

/** The speed and recall of vector search, compared with an SQLite extension. */
export async function measureVectors(tempFolder: string, quick: boolean): Promise<Section> {
  const real = await embedPages(quick ? 400 : 4_000, quick ? 20 : 60);
  const isReal = typeof real !== "string";
  const { vectors, queries } = isReal
    ? real
    : { vectors: randomVectors(400), queries: randomVectors(20) };
  const alone = await measureSet(join(tempFolder, "real.sqlite"), vectors, queries);
  const mixed = [...vectors, ...interpolatedVectors(vectors, vectorCount - vectors.length)];
  const sqliteVec = await openSqliteVec(
    tempFolder,
    mixed.map((vector, index) => [index + 1, vector]),
  );
  const measured = await measureSet(join(tempFolder, "many.sqlite"), mixed, queries, sqliteVec);
  const { ours, theirs, load } = measured;
  const ratio = theirs.length > 0 ? median(theirs) / median(ours) : undefined;
  const rows = [
    ["Lectern", ms(median(ours)), ms(quantile(ours, 0.95)), measured.recall.toFixed(4)],
    ["Lectern, filtered to 1 % of the documents", ...timesOf(measured.filtered), ""],
    ...(ratio ? [[sqliteVecName, ...timesOf(theirs), measured.theirRecall.toFixed(4)]] : []),
    ["copying the same number of bytes once", ...timesOf(onePass(vectorCount * dimensions)), ""],
  ];
  return {
    title,
    text: `The ten nearest of ${vectorCount} vectors with ${dimensions} dimensions, in CPU time, including the exact comparison of the
best candidates from SQLite; ${queries.length} queries, alternating. ${vectors.length} vectors are ${isReal ? "embeddings of real chunks" : `random (${real})`},
the others mixtures of them. Loading the set took ${ms(load)}. With only the ${vectors.length}, the recall is
${alone.recall.toFixed(4)}.

${table(["", "p50", "p95", "recall@10"], rows)}${typeof sqliteVec === "string" ? `\n\n${sqliteVec}` : ""}`,
    targets: targets({ p50: median(ours), recall: isReal ? alone.recall : undefined, ratio }),
  };
}

/** The approximate lower bound for a scan of one byte per dimension. */
function onePass(bytes: number): number[] {
  const [from, to] = [new Uint8Array(bytes).fill(1), new Uint8Array(bytes)];
  return Array.from({ length: 30 }, () => {
    const started = performance.now();
    to.set(from);
    return performance.now() - started;
  });
}

const timesOf = (values: readonly number[]): string[] => [
  ms(median(values)),
  ms(quantile(values, 0.95)),
];

interface Figures {
  p50: number;
  recall: number | undefined;
  ratio: number | undefined;
}

function targets({ p50, recall, ratio }: Figures): Target[] {
  return [
    {
      name: `10 nearest of ${vectorCount} vectors, CPU time, p50`,
      required: "at most 5 ms",
      measured: { figure: ms(p50), isMet: p50 <= 5 },
    },
    {
      name: "recall@10 of real embeddings, compared with exact search",
      required: "at least 0.99",
      measured:
        recall === undefined ? undefined : { figure: recall.toFixed(4), isMet: recall >= 0.99 },
    },
    {
      name: `10 nearest of ${vectorCount} vectors, compared with ${sqliteVecName}`,
      required: "to be measured",
      measured: ratio === undefined ? undefined : { figure: `${times(ratio)} faster`, isMet: true },
    },
  ];
}

/** Vectors of real chunks and queries, by the bundled model. */
async function embedPages(chunks: number, count: number) {
  if (!pages) return "the documentation pages are not available.";
  const runtime = openModelRunner();
  const embedder = openLocalEmbedder(runtime);
  try {
    if (embedder.problem) return embedder.problem;
    const texts = new Set<string>();
    const files = readdirSync(pages, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".md"))
      .sort();
    for (let number = 0; number < files.length && texts.size < chunks; number++) {
      const lines = splitLines(
        readFileSync(join(pages, files[(number * 997) % files.length] ?? ""), "utf8"),
      );
      for (const chunk of splitIntoChunks(lines, {
        countTokens: embedder.countTokens,
        maxTokens: 250,
      })) {
        if (texts.size < chunks) texts.add(embeddingInput(chunk));
      }
    }
    const vectors = await embedder.embed([...texts]);
    const queries = await embedder.embed(queriesFrom(pages, count));
    return { vectors, queries };
  } finally {
    await runtime.close();
  }
}

/** Interpolates between two vectors and adds noise, for a density like that of real ones. */
function* interpolatedVectors(
  vectors: readonly Float32Array[],
  count: number,
): Generator<Float32Array> {
  const random = randomNumbers();
  const any = () => vectors[Math.floor(random() * vectors.length)] ?? new Float32Array(dimensions);
  for (let index = 0; index < count; index++) {
    const [one, other, weight] = [any(), any(), random() / 2];
    yield unit(
      one.map((value, index) => value + weight * (other[index] ?? 0) + (random() - 0.5) * 0.05),
    );
  }
}

function randomVectors(count: number): Float32Array[] {
  const random = randomNumbers();
  return Array.from({ length: count }, () =>
    unit(new Float32Array(dimensions).map(() => random() - 0.5)),
  );
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(product(vector, vector));
  return vector.map((value) => value / length);
}

/** Seeded, so that every run uses the same numbers. */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Measured {
  ours: number[];
  filtered: number[];
  theirs: number[];
  recall: number;
  theirRecall: number;
  load: number;
}

async function measureSet(
  file: string,
  vectors: readonly Float32Array[],
  queries: readonly Float32Array[],
  sqliteVec?: Awaited<ReturnType<typeof openSqliteVec>>,
): Promise<Measured> {
  const db = openDatabase(file);
  db.exec(vectorTables("bench"));
  const { run } = openSqliteStore(db);
  const store = openVectorStore("bench", { id: "bench", weights: "", dimensions });
  for (let from = 0; from < vectors.length; from += 1_000) {
    const part = vectors.slice(from, from + 1_000);
    run(store.saveVectors(new Map(part.map((vector, index) => [String(from + index), vector]))));
  }
  const set = openVectorSet({ dimensions, loadVectors: store.loadVectors });
  const [load] = timeOf(() => run(store.loadInto(set)));
  const measured: Measured = {
    ours: [],
    filtered: [],
    theirs: [],
    recall: 0,
    theirRecall: 0,
    load,
  };
  const [warm = new Float32Array(dimensions)] = queries;
  for (let round = 0; round < 20; round++) run(set.nearest(warm, 10));
  for (const query of queries) {
    const exact = exactNearest(vectors, query);
    const [ours, nearest] = timeOf(() => run(set.nearest(query, 10)).map(({ id }) => id));
    const [filtered] = timeOf(() =>
      run(set.nearest(query, 10, { isIncluded: (id) => id % 100 === 0 })),
    );
    measured.ours.push(ours);
    measured.filtered.push(filtered);
    measured.recall += recallOf(nearest, exact) / queries.length;
    if (typeof sqliteVec !== "function") continue;
    const [theirs, theirNearest] = timeOf(() => sqliteVec(query));
    measured.theirs.push(theirs);
    measured.theirRecall += recallOf(theirNearest, exact) / queries.length;
  }
  db.close();
  return measured;
}

/** CPU time in milliseconds, and the result. */
function timeOf<Result>(callback: () => Result): [ms: number, result: Result] {
  const before = process.cpuUsage();
  const result = callback();
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / 1_000, result];
}

const recallOf = (nearest: readonly number[], exact: ReadonlySet<number>): number =>
  nearest.filter((id) => exact.has(id)).length / exact.size;

/** The ids of the ten nearest, from one, by exact comparison with every vector. */
function exactNearest(vectors: readonly Float32Array[], query: Float32Array): Set<number> {
  const all = vectors.map((vector, index) => ({ id: index + 1, near: product(vector, query) }));
  return new Set(
    all
      .sort((a, b) => b.near - a.near || a.id - b.id)
      .slice(0, 10)
      .map(({ id }) => id),
  );
}

function product(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}
