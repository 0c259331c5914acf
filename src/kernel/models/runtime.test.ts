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
import { childSource } from "../../../tests/child-source.ts";
import { builtModels } from "../../../tests/fixtures/models.ts";
import { childrenOf } from "../../../tests/programs/process.ts";
import { Failure } from "../failure.ts";
import { openEmbedder } from "./embedder.ts";
import { openReranker } from "./reranker.ts";
import { type ModelRuntime, type ModelRuntimeOptions, openModelRuntime } from "./runtime.ts";

const scratch = mkdtempSync(join(tmpdir(), "lectern-runtime-"));
let models: Awaited<ReturnType<typeof builtModels>>;

beforeAll(async () => {
  models = await builtModels();
});

afterAll(() => {
  models.remove();
  rmSync(scratch, { recursive: true, force: true });
});

/** Runs with a runtime of its own, tells the children that belong to it, and leaves none. */
async function withRuntime(
  options: ModelRuntimeOptions,
  work: (runtime: ModelRuntime, children: () => number[]) => Promise<void>,
): Promise<void> {
  const before = childrenOf(process.pid);
  const runtime = openModelRuntime({ folder: models.folder, ...options });
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

/** A library that does not do what it should. */
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

test("[search.model.shared] both models run in one child, which the first call starts", async () => {
  await withRuntime({}, async (runtime, children) => {
    const embedder = openEmbedder(runtime);
    const reranker = openReranker(runtime);
    expect([embedder.problem, reranker.problem]).toEqual([undefined, undefined]);
    embedder.countTokens("words");
    expect(children()).toEqual([]);

    await Promise.all([
      embedder.embed(["a", "b"]),
      reranker.score("a", ["b"]),
      openEmbedder(runtime).embedQuery("c"),
    ]);
    const first = children();
    expect(first).toHaveLength(1);
    await embedder.embedQuery("d");
    expect(children()).toEqual(first);
  });
});

test("[search.model.idle] a child without work ends, and the next call starts another", async () => {
  await withRuntime({ idleMs: 100 }, async (runtime, children) => {
    const embedder = openEmbedder(runtime);
    const before = await embedder.embedQuery("again");
    await expect.poll(children).toEqual([]);

    expect(await embedder.embedQuery("again")).toEqual(before);
  });
});

test("[search.model.crash] when the child is killed its call fails, and the next one is answered", async () => {
  await withRuntime({}, async (runtime, children) => {
    const embedder = openEmbedder(runtime);
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

test("a child that takes too long is given up", async () => {
  await withRuntime({ deadlineMs: 1 }, async (runtime, children) => {
    expect(await failureOf(openEmbedder(runtime).embedQuery("x"))).toMatchObject(notLoaded);
    await expect.poll(children).toEqual([]);
  });
});

test("[search.model.absent] without the model's files there is no model, and nothing is started", async () => {
  const folder = folderWith("no-model", (place) =>
    rmSync(join(place, "minilm"), { recursive: true }),
  );
  await withRuntime({ folder }, async (runtime, children) => {
    const embedder = openEmbedder(runtime);

    expect(embedder.problem).toBe(
      "Model not loaded\nIts files are missing: install or build the program anew.",
    );
    expect(await failureOf(embedder.embed(["x"]))).toMatchObject(notLoaded);
    expect(() => embedder.countTokens("x")).toThrow("Model not loaded");
    expect(children()).toEqual([]);
    expect(await openReranker(runtime).score("a", ["b"])).toHaveLength(1);
  });
});

test("[search.model.absent] without the library there is no model, and the words say what to install", async () => {
  await withRuntime({ library: "onnxruntime-nowhere" }, async (runtime, children) => {
    const failure = await failureOf(openEmbedder(runtime).embedQuery("x"));

    expect(failure).toMatchObject(notLoaded);
    expect(failure.explanation).toContain("npm install onnxruntime-node");
    expect(children()).toEqual([]);
  });
});

test("[search.model.damaged] a file that is not the model that was built is not run", async () => {
  const folder = folderWith("damaged", (place) => {
    const file = join(place, "minilm", "model.onnx");
    const content = readFileSync(file);
    content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, content);
  });
  await withRuntime({ folder }, async (runtime) => {
    const failure = await failureOf(openEmbedder(runtime).embedQuery("x"));

    expect(failure).toMatchObject(notLoaded);
    expect(failure.cause).toMatch(/not the one that was built/);
    expect(failure.explanation).not.toContain(folder);
    expect(await openReranker(runtime).score("a", ["b"])).toHaveLength(1);
  });
});

for (const [what, code] of [
  ["throws", "throw new Error('This machine is too old.');"],
  ["ends the process", "process.exit(3);"],
] as const) {
  test(`[search.model.crash] a library that ${what} is not tried again for a while`, async () => {
    const count = join(scratch, `${what.length}.tries`);
    const library = libraryOf(
      `${what.length}.cjs`,
      `require("node:fs").appendFileSync(${JSON.stringify(count)}, "x"); ${code}`,
    );
    await withRuntime({ library, idleMs: 2_000 }, async (runtime) => {
      const embedder = openEmbedder(runtime);
      expect(await failureOf(embedder.embedQuery("x"))).toMatchObject(notLoaded);
      expect(embedder.problem).toMatch(/^Model not loaded\n/);
      for (let again = 0; again < 3; again++) await failureOf(embedder.embed(["x"]));
      expect(readFileSync(count, "utf8")).toBe("x");

      await expect.poll(() => embedder.problem).toBeUndefined();
      await failureOf(embedder.embedQuery("x"));
      expect(readFileSync(count, "utf8")).toBe("xx");
    });
  });
}

test("after close there is no model, and what still waited fails", async () => {
  await withRuntime({}, async (runtime, children) => {
    const embedder = openEmbedder(runtime);
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

/** A program that embeds as many texts as it is told and does not close the runtime. */
const program = () =>
  childSource(`
    import { openEmbedder } from "./src/kernel/models/embedder.ts";
    import { openModelRuntime } from "./src/kernel/models/runtime.ts";
    const [folder, count] = process.argv.slice(2);
    const embedder = openEmbedder(openModelRuntime({ folder }));
    const texts = Array.from({ length: Number(count) }, () => "word ".repeat(200));
    console.log((await embedder.embed(texts)).length);
  `);

test("[search.model.silent] a program that used the model ends by itself, and only its own words are out", async () => {
  const child = spawn(process.execPath, [program(), models.folder, "2"]);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      said += chunk;
    });
  }
  const [code] = await once(child, "close");

  expect([code, said]).toEqual([0, "2\n"]);
});

test("[search.model.no-orphan] the child ends with its process, even in the middle of its work", async () => {
  const child = spawn(process.execPath, [program(), models.folder, "100000"], { stdio: "ignore" });
  const grandchildren = () => childrenOf(child.pid ?? 0);
  await expect.poll(grandchildren).toHaveLength(1);
  const [busy = 0] = grandchildren();
  await expect.poll(() => memoryOf(busy)).toBeGreaterThan(100_000);

  child.kill("SIGKILL");

  await expect.poll(() => memoryOf(busy)).toBe(0);
});

/** In kilobytes; a process that has loaded a model has far more than one that has just begun. */
function memoryOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
