import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../src/kernel/database.ts";
import { openEmbedder } from "../../src/kernel/models/embedder.ts";
import { openModelRuntime } from "../../src/kernel/models/runtime.ts";
import { openVectorStore, vectorTables } from "../../src/kernel/vectors/store.ts";
import { openVectorSet } from "../../src/kernel/vectors/vector-set.ts";
import { chunksOf, embeddedText } from "../../src/text/chunks.ts";
import { linesOf } from "../../src/text/lines.ts";
import { pages, queriesFrom } from "./corpus.ts";
import { at, median } from "./home.ts";
import { type Demand, ms, type Section, table, times } from "./page.ts";
import { openRival, rivalName } from "./sqlite-vec.ts";

const title = "Vectors";
const dimensions = 384;
const many = 100_000;

/** How fast and how surely the nearest of many vectors are found, beside another who does it. */
export async function measureVectors(place: string, quick: boolean): Promise<Section> {
  const real = await embedPages(quick ? 400 : 4_000, quick ? 20 : 60);
  const isReal = typeof real !== "string";
  const { vectors, queries } = isReal
    ? real
    : { vectors: anyVectors(400), queries: anyVectors(20) };
  const alone = await measureSet(join(place, "real.sqlite"), vectors, queries);
  const mixed = [...vectors, ...mixtures(vectors, many - vectors.length)];
  const rival = await openRival(
    place,
    mixed.map((vector, place) => [place + 1, vector]),
  );
  const measured = await measureSet(join(place, "many.sqlite"), mixed, queries, rival);
  const { ours, theirs, load } = measured;
  const ratio = theirs.length > 0 ? median(theirs) / median(ours) : undefined;
  const rows = [
    ["Lectern", ms(median(ours)), ms(at(ours, 0.95)), measured.recall.toFixed(4)],
    ["Lectern, one document in a hundred wanted", ...timesOf(measured.filtered), ""],
    ...(ratio ? [[rivalName, ...timesOf(theirs), measured.theirRecall.toFixed(4)]] : []),
    ["the memory alone: its bytes, copied once", ...timesOf(onePass(many * dimensions)), ""],
  ];
  return {
    title,
    text: `The ten nearest of ${many} vectors with ${dimensions} dimensions, in time of the processor, with the exact
comparison of the best from SQLite; ${queries.length} queries, in turn. ${vectors.length} vectors are ${isReal ? "those of real chunks" : `made up (${real})`},
the others mixtures of them. To load the set took ${ms(load)}; with the ${vectors.length} alone the recall is
${alone.recall.toFixed(4)}.

${table(["", "p50", "p95", "recall@10"], rows)}${typeof rival === "string" ? `\n\n${rival}` : ""}`,
    demands: demands({ p50: median(ours), recall: isReal ? alone.recall : undefined, ratio }),
  };
}

/** What no scan that keeps a byte for each dimension can go below by much. */
function onePass(bytes: number): number[] {
  const [from, to] = [new Uint8Array(bytes).fill(1), new Uint8Array(bytes)];
  return Array.from({ length: 30 }, () => {
    const began = performance.now();
    to.set(from);
    return performance.now() - began;
  });
}

const timesOf = (values: readonly number[]): string[] => [ms(median(values)), ms(at(values, 0.95))];

interface Figures {
  p50: number;
  recall: number | undefined;
  ratio: number | undefined;
}

function demands({ p50, recall, ratio }: Figures): Demand[] {
  return [
    {
      what: `ten nearest of ${many} vectors, p50 of the processor's time`,
      needed: "at most 5 ms",
      measured: { figure: ms(p50), isReached: p50 <= 5 },
    },
    {
      what: "recall@10 of real embeddings against exact comparison",
      needed: "at least 0.99",
      measured:
        recall === undefined ? undefined : { figure: recall.toFixed(4), isReached: recall >= 0.99 },
    },
    {
      what: `ten nearest of ${many} vectors, against ${rivalName}`,
      needed: "measured",
      measured:
        ratio === undefined ? undefined : { figure: `${times(ratio)} less time`, isReached: true },
    },
  ];
}

/** Vectors of real chunks and real queries, by the model that ships with us. */
async function embedPages(chunks: number, count: number) {
  if (!pages) return "the pages do not lie beside this repository.";
  const runtime = openModelRuntime();
  const embedder = openEmbedder(runtime);
  try {
    if (embedder.problem) return embedder.problem;
    const texts = new Set<string>();
    const files = readdirSync(pages, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".md"))
      .sort();
    for (let number = 0; number < files.length && texts.size < chunks; number++) {
      const lines = linesOf(
        readFileSync(join(pages, files[(number * 997) % files.length] ?? ""), "utf8"),
      );
      for (const chunk of chunksOf(lines, { countTokens: embedder.countTokens, mostTokens: 250 })) {
        if (texts.size < chunks) texts.add(embeddedText(chunk));
      }
    }
    const vectors = await embedder.embed([...texts]);
    const queries = await embedder.embed(queriesFrom(pages, count));
    return { vectors, queries };
  } finally {
    await runtime.close();
  }
}

/** Each between two others, and a little beside: as crowded as real ones are. */
function* mixtures(vectors: readonly Float32Array[], count: number): Generator<Float32Array> {
  const random = randomNumbers();
  const any = () => vectors[Math.floor(random() * vectors.length)] ?? new Float32Array(dimensions);
  for (let made = 0; made < count; made++) {
    const [one, other, share] = [any(), any(), random() / 2];
    yield unit(
      one.map((value, index) => value + share * (other[index] ?? 0) + (random() - 0.5) * 0.05),
    );
  }
}

function anyVectors(count: number): Float32Array[] {
  const random = randomNumbers();
  return Array.from({ length: count }, () =>
    unit(new Float32Array(dimensions).map(() => random() - 0.5)),
  );
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(product(vector, vector));
  return vector.map((value) => value / length);
}

/** The same numbers in every run. */
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
  rival?: Awaited<ReturnType<typeof openRival>>,
): Promise<Measured> {
  const db = openDatabase(file);
  db.exec(vectorTables("bench"));
  const store = openVectorStore(db, "bench", { id: "bench", weights: "", dimensions });
  for (let from = 0; from < vectors.length; from += 1_000) {
    const part = vectors.slice(from, from + 1_000);
    store.saveVectors(new Map(part.map((vector, place) => [String(from + place), vector])));
  }
  const set = openVectorSet({ dimensions, exact: store.exact });
  const [load] = timed(() => store.loadAll(set));
  const measured: Measured = {
    ours: [],
    filtered: [],
    theirs: [],
    recall: 0,
    theirRecall: 0,
    load,
  };
  const [warm = new Float32Array(dimensions)] = queries;
  for (let round = 0; round < 20; round++) set.nearest(warm, 10);
  for (const query of queries) {
    const exact = nearestByAll(vectors, query);
    const [ours, found] = timed(() => set.nearest(query, 10).map(({ id }) => id));
    const [filtered] = timed(() => set.nearest(query, 10, { isWanted: (id) => id % 100 === 0 }));
    measured.ours.push(ours);
    measured.filtered.push(filtered);
    measured.recall += share(found, exact) / queries.length;
    if (typeof rival !== "function") continue;
    const [theirs, theirFound] = timed(() => rival(query));
    measured.theirs.push(theirs);
    measured.theirRecall += share(theirFound, exact) / queries.length;
  }
  db.close();
  return measured;
}

/** Milliseconds of the processor, and what came of them. */
function timed<Result>(work: () => Result): [ms: number, result: Result] {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / 1_000, result];
}

const share = (found: readonly number[], exact: ReadonlySet<number>): number =>
  found.filter((id) => exact.has(id)).length / exact.size;

/** The ids of the ten nearest, counted from one, by comparing with every vector. */
function nearestByAll(vectors: readonly Float32Array[], query: Float32Array): Set<number> {
  const all = vectors.map((vector, place) => ({ id: place + 1, near: product(vector, query) }));
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
