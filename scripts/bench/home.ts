import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pages } from "./corpus.ts";

/** A copy of the built program, so that a concurrent build does not replace it. */
export const program = resolve("node_modules", ".cache", "lectern", "bench", "dist", "lectern.js");

export const environment = (home: string) => ({ ...process.env, LECTERN_HOME: home });

export function copyProgram(): void {
  if (!existsSync(join("dist", "lectern.js"))) {
    throw new Error("The program is not built: run `npm run build` first.");
  }
  rmSync(dirname(program), { recursive: true, force: true });
  cpSync("dist", dirname(program), { recursive: true });
}

/** A temporary folder for one run, deleted at exit. */
export function createTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "lectern-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
  return folder;
}

/** Indexes the real pages, or the sample if they are missing. Returns a description. */
export async function prepareHome(home: string): Promise<string> {
  const folder = pages ?? resolve("sample");
  const args = ["collection", "add", folder, "--name", "docs", "--json"];
  const stdout = execFileSync(process.execPath, [program, ...args], {
    env: environment(home),
    encoding: "utf8",
  });
  const { documents } = JSON.parse(stdout) as { documents: number };
  const name = pages ? "real documentation pages" : "the sample that ships with Lectern";
  return `${documents} documents, ${name}`;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The quantile of the values at this share, for example 0.95. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
