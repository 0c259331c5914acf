import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

export const program = resolve("dist", "lectern.js");

export const environment = (home: string) => ({ ...process.env, LECTERN_HOME: home });

/** Fills a home with the real pages where they are there, else with the sample, and says which. */
export async function prepareHome(home: string): Promise<string> {
  const pages = resolve("..", "shared", "data", "markdown");
  const folder = existsSync(pages) ? pages : resolve("sample");
  const words = ["collection", "add", folder, "--name", "docs", "--json"];
  const said = execFileSync(process.execPath, [program, ...words], {
    env: environment(home),
    encoding: "utf8",
  });
  const { documents } = JSON.parse(said) as { documents: number };
  const name = folder === pages ? "real documentation pages" : "the sample that ships with Lectern";
  return `${documents} documents, ${name}`;
}

export const median = (values: readonly number[]): number => at(values, 0.5);

/** The value below which the given share of all values lies. */
export function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
