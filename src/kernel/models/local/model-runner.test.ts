import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { childSource } from "../../../../tests/child-source.ts";
import { builtModels } from "../../../../tests/fixtures/search/models.ts";
import { childrenOf } from "../../../../tests/programs/process.ts";
import { Failure } from "../../failure.ts";
import { openLocalEmbedder } from "../embedder.ts";
import { openLocalReranker } from "../reranker.ts";
import { type ModelRunner, type ModelRunnerOptions, openModelRunner } from "./model-runner.ts";

const scratch = mkdtempSync(join(tmpdir(), "lectern-runtime-"));
let models: Awaited<ReturnType<typeof builtModels>>;

beforeAll(async () => {
  models = await builtModels();
});

afterAll(() => {
  models.remove();
  rmSync(scratch, { recursive: true, force: true });
});

/** Runs with a separate runtime, returns its child processes, and leaves none. */
async function withRuntime(
  options: ModelRunnerOptions,
  work: (runtime: ModelRunner, children: () => number[]) => Promise<void>,
): Promise<void> {
  const before = childrenOf(process.pid);
  const runtime = openModelRunner({ folder: models.folder, ...options });
  const children = () => childrenOf(process.pid).filter((pid) => !before.includes(pid));
  try {
    await work(runtime, children);
  } finally {
    await runtime.close();
  }
  expect(children()).toEqual([]);
}

/** The models with one file replaced. */
function folderWith(name: string, change: (folder: string) => void): string {
  const folder = join(scratch, name);
  mkdirSync(folder);
  cpSync(join(models.folder, "run.mjs"), join(folder, "run.mjs"));
  symlinkSync(join(models.folder, "reranker"), join(folder, "reranker"));
  mkdirSync(join(folder, "minilm"));
  for (const file of ["model.onnx", "tokenizer.json"]) {
    cpSync(join(models.folder, "minilm", file), join(folder, "minilm", file));
  }
  change(folder);
  return folder;
}

/** A faulty runtime library. */
function libraryOf(name: string, code: string): string {
  const file = join(scratch, name);
  writeFileSync(file, code);
  return file;
}

const failureOf = async (work: Promise<unknown>): Promise<Failure> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Failure)) throw new Error(`No failure: ${error}`);
  return error;
};

const notLoaded = { kind: "unavailable", code: "no-model", message: "Model not loaded" };
const many = Array.from({ length: 200 }, () => "word ".repeat(200));

test("[search.model.shared] both models run in one child process, started by the first call", async () => {
  await withRuntime({}, async (runtime, children) => {
    const embedder = openLocalEmbedder(runtime);
    const reranker = openLocalReranker(runtime);
    expect([embedder.problem, reranker.problem]).toEqual([undefined, undefined]);
    embedder.countTokens("words");
    expect(children()).toEqual([]);

    await Promise.all([
      embedder.embed(["a", "b"]),
      reranker.score("a", ["b"]),
      openLocalEmbedder(runtime).embedQuery("c"),
    ]);
    const first = children();
    expect(first).toHaveLength(1);
    await embedder.embedQuery("d");
    expect(children()).toEqual(first);
  });
});

test("[search.model.lanes] concurrent calls are embedded by several child processes, with the same vectors", async () => {
  await withRuntime({ lanes: 3 }, async (runtime, children) => {
    const embedder = openLocalEmbedder(runtime);
    const texts = Array.from({ length: 12 }, (_, number) => `Text ${number} of a batch.`);
    const apart = await embedder.embed(texts);
    expect(children()).toHaveLength(1);

    const together = await Promise.all(texts.map((text) => embedder.embed([text])));
    expect(embedder.parallelism).toBe(3);
    expect(children()).toHaveLength(3);
    expect(together.flat()).toEqual(apart);
  });
});

test("[search.model.idle] an idle child process exits, and the next call starts another", async () => {
  await withRuntime({ idleMs: 100 }, async (runtime, children) => {
    const embedder = openLocalEmbedder(runtime);
    const before = await embedder.embedQuery("again");
    await expect.poll(children).toEqual([]);

    expect(await embedder.embedQuery("again")).toEqual(before);
  });
});

test("[search.model.crash] when the child process is killed its call fails, and the next one is answered", async () => {
  await withRuntime({}, async (runtime, children) => {
    const embedder = openLocalEmbedder(runtime);
    await embedder.embedQuery("warm");
    const lost = failureOf(embedder.embed(many));
    const [pid] = children();
    process.kill(pid ?? 0, "SIGKILL");

    expect(await lost).toMatchObject(notLoaded);
    expect(await embedder.embedQuery("next")).toHaveLength(384);
    expect(children()).toHaveLength(1);
    expect(children()).not.toContain(pid);
  });
});

test("a child process that takes too long is abandoned", async () => {
  await withRuntime({ deadlineMs: 1 }, async (runtime, children) => {
    expect(await failureOf(openLocalEmbedder(runtime).embedQuery("x"))).toMatchObject(notLoaded);
    await expect.poll(children).toEqual([]);
  });
});

test("[search.model.absent] without the model files there is no model, and no process is started", async () => {
  const folder = folderWith("no-model", (place) =>
    rmSync(join(place, "minilm"), { recursive: true }),
  );
  await withRuntime({ folder }, async (runtime, children) => {
    const embedder = openLocalEmbedder(runtime);

    expect(embedder.problem).toBe(
      "Model not loaded\nIts files are missing: reinstall or rebuild Lectern.",
    );
    expect(await failureOf(embedder.embed(["x"]))).toMatchObject(notLoaded);
    expect(() => embedder.countTokens("x")).toThrow("Model not loaded");
    expect(children()).toEqual([]);
    expect(await openLocalReranker(runtime).score("a", ["b"])).toHaveLength(1);
  });
});

test("[search.model.absent] without the library there is no model, and the message says what to install", async () => {
  await withRuntime({ library: "onnxruntime-nowhere" }, async (runtime, children) => {
    const failure = await failureOf(openLocalEmbedder(runtime).embedQuery("x"));

    expect(failure).toMatchObject(notLoaded);
    expect(failure.explanation).toContain("npm install onnxruntime-node");
    expect(children()).toEqual([]);
  });
});

test("[search.model.damaged] a model file that differs from the built one is not loaded", async () => {
  const folder = folderWith("damaged", (place) => {
    const file = join(place, "minilm", "model.onnx");
    const content = readFileSync(file);
    content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, content);
  });
  await withRuntime({ folder }, async (runtime) => {
    const failure = await failureOf(openLocalEmbedder(runtime).embedQuery("x"));

    expect(failure).toMatchObject(notLoaded);
    expect(failure.cause).toMatch(/wrong checksum/);
    expect(failure.explanation).not.toContain(folder);
    expect(await openLocalReranker(runtime).score("a", ["b"])).toHaveLength(1);
  });
});

for (const [what, code] of [
  ["throws", "throw new Error('This machine is too old.');"],
  ["ends the process", "process.exit(3);"],
] as const) {
  test(`[search.model.crash] a library that ${what} is not retried for a while`, async () => {
    const count = join(scratch, `${what.length}.tries`);
    const library = libraryOf(
      `${what.length}.cjs`,
      `require("node:fs").appendFileSync(${JSON.stringify(count)}, "x"); ${code}`,
    );
    let time = 0;
    await withRuntime({ library, idleMs: 100, now: () => time }, async (runtime, children) => {
      const embedder = openLocalEmbedder(runtime);
      expect(await failureOf(embedder.embedQuery("x"))).toMatchObject(notLoaded);
      expect(embedder.problem).toMatch(/^Model not loaded\n/);
      for (let again = 0; again < 3; again++) await failureOf(embedder.embed(["x"]));
      expect(readFileSync(count, "utf8")).toBe("x");

      // Node loads a module that failed once per process.
      await expect.poll(children).toEqual([]);
      time += 100;
      expect(embedder.problem).toBeUndefined();
      await failureOf(embedder.embedQuery("x"));
      expect(readFileSync(count, "utf8")).toBe("xx");
    });
  });
}

test("after close there is no model, and waiting calls fail", async () => {
  await withRuntime({}, async (runtime, children) => {
    const embedder = openLocalEmbedder(runtime);
    await embedder.embedQuery("warm");
    const waiting = [embedder.embed(many), embedder.embed(many), embedder.embedQuery("x")].map(
      failureOf,
    );
    await runtime.close();

    for (const failure of await Promise.all(waiting)) expect(failure).toMatchObject(notLoaded);
    expect(children()).toEqual([]);
    expect(await failureOf(embedder.embedQuery("y"))).toMatchObject(notLoaded);
  });
});

/** A program that embeds the given number of texts and does not close the runtime. */
const program = () =>
  childSource(`
    import { openLocalEmbedder } from "./src/kernel/models/embedder.ts";
    import { openModelRunner } from "./src/kernel/models/local/model-runner.ts";
    const [folder, count] = process.argv.slice(2);
    const embedder = openLocalEmbedder(openModelRunner({ folder }));
    const texts = Array.from({ length: Number(count) }, () => "word ".repeat(200));
    console.log((await embedder.embed(texts)).length);
  `);

test("[search.model.silent] a program that used the model exits by itself and prints only its own output", async () => {
  const child = spawn(process.execPath, [program(), models.folder, "2"]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const [code] = await once(child, "close");

  expect([code, output]).toEqual([0, "2\n"]);
});

test("[search.model.no-orphan] the child process ends with its parent, even while it is busy", async () => {
  const child = spawn(process.execPath, [program(), models.folder, "100000"], { stdio: "ignore" });
  const grandchildren = () => childrenOf(child.pid ?? 0);
  await expect.poll(grandchildren).toHaveLength(1);
  const [busy = 0] = grandchildren();
  await expect.poll(() => memoryOf(busy)).toBeGreaterThan(100_000);

  child.kill("SIGKILL");

  await expect.poll(() => memoryOf(busy)).toBe(0);
});

/** In kilobytes; a process that has loaded a model uses far more than a new one. */
function memoryOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
