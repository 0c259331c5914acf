/** Compiles `scan.as` to `src/kernel/vectors/scan-code.ts`. The output is reproducible. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../src/kernel/vectors/", import.meta.url));
const written = join(folder, "scan-code.ts");
const compiler = new URL("../../node_modules/assemblyscript/package.json", import.meta.url);

/** Compiles if the source or the compiler version has changed. */
export async function writeScanCode() {
  const source = readFileSync(join(folder, "scan.as"), "utf8");
  const { version } = JSON.parse(readFileSync(compiler, "utf8"));
  const origin = createHash("sha256").update(`${version}\n${source}`).digest("hex").slice(0, 32);
  if (existsSync(written) && readFileSync(written, "utf8").includes(origin)) return;
  writeFileSync(
    written,
    `/** Made from scan.as by scripts/vectors/compile.mjs, origin ${origin}. */
export const scanCode =
  "${await compileScan(source)}";
`,
  );
}

/** The compiled WebAssembly, in base64. */
export async function compileScan(source = readFileSync(join(folder, "scan.as"), "utf8")) {
  // Loading the compiler takes half a second, and it is rarely needed.
  const { default: asc } = await import("assemblyscript/asc");
  let code = "";
  const args = ["--runtime", "stub", "--enable", "simd", "--importMemory", "-O3", "--noAssert"];
  const { error, stderr } = await asc.main(["scan.ts", ...args, "--outFile", "scan.wasm"], {
    readFile: (name) => (name === "scan.ts" ? source : null),
    writeFile(_name, contents) {
      code = Buffer.from(contents).toString("base64");
    },
    listFiles: () => [],
  });
  if (error) throw new Error(`scan.as cannot be compiled.\n${stderr.toString()}`);
  return code;
}
