import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pages } from "./corpus.ts";

/** A copy of the built program, which another build meanwhile does not take away. */
export const program = resolve("node_modules", ".cache", "lectern", "bench", "dist", "lectern.js");

export const environment = (home: string) => ({ ...process.env, LECTERN_HOME: home });

export function copyProgram(): void {
  if (!existsSync(join("dist", "lectern.js"))) {
    throw new Error("There is no built program: run `npm run build` first.");
  }
  rmSync(dirname(program), { recursive: true, force: true });
  cpSync("dist", dirname(program), { recursive: true });
}

/** A folder for everything that a run writes; it goes with the run. */
export function openPlace(): string {
  const place = mkdtempSync(join(tmpdir(), "lectern-bench-"));
  process.on("exit", () => rmSync(place, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
  return place;
}

/** Fills a home with the real pages where they are there, else with the sample, and says which. */
export async function prepareHome(home: string): Promise<string> {
  const folder = pages ?? resolve("sample");
  const words = ["collection", "add", folder, "--name", "docs", "--json"];
  const said = execFileSync(process.execPath, [program, ...words], {
    env: environment(home),
    encoding: "utf8",
  });
  const { documents } = JSON.parse(said) as { documents: number };
  const name = pages ? "real documentation pages" : "the sample that ships with Lectern";
  return `${documents} documents, ${name}`;
}

export const median = (values: readonly number[]): number => at(values, 0.5);

/** The value below which the given share of all values lies. */
export function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
