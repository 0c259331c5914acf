import { expect, test } from "vitest";
import {
  type Data,
  repositoryLibrary,
} from "../../../../tests/fixtures/repository/repository-library.ts";

const files = {
  "src/lamp.ts": `export function lightLamp(name: string): boolean { return true; }
export function dimLamp(name: string): void {}
/** How bright. */
export type Level = 1 | 2;
export const brightest = 2;
export class Keeper {
  /** Watches. */
  watch(hours: number): void {}
  sleep(): void {}
}
`,
  "src/index.ts": "export function start(): void {}\n",
  "src/storage/tape.py": "def rewind(tape):\n    pass\n\ndef _own():\n    pass\n",
  "tests/lamp.ts": "export function fixture(): void {}\n",
  "docs/reference/lamps.md": "# Lamps\n\n`lightLamp` lights, a `Keeper` keeps: `Keeper.watch()`.\n",
  "CHANGELOG.md": "- `dimLamp` is new.\n",
};

const gapLines = ({ gaps }: Data): string[] =>
  gaps.map(
    ({ relatedCode, symbol, priority, page, pageExists }: Data) =>
      `${relatedCode} ${priority} ${symbol} → ${page}${pageExists ? "" : " (new)"}`,
  );

test("[repository.gaps.evidence] each gap names the symbol, its file and line, and the page that should document it", async () => {
  const { data } = repositoryLibrary(files);

  expect(gapLines(await data("detect_documentation_gaps", { repositoryPath: "." }))).toEqual([
    "src/index.ts:1 high start → docs/reference/lamps.md",
    "src/lamp.ts:2 medium dimLamp → docs/reference/lamps.md",
    "src/storage/tape.py:1 medium rewind → docs/reference/tape.md (new)",
    "src/lamp.ts:9 low Keeper.sleep → docs/reference/lamps.md",
  ]);
});

test("[repository.gaps.depth] each depth checks more", async () => {
  const { data } = repositoryLibrary(files);
  const at = async (depth: string) =>
    (await data("detect_documentation_gaps", { repositoryPath: ".", depth })).gaps.map(
      ({ gapType, symbol }: Data) => `${gapType} ${symbol}`,
    );
  const quick = await at("quick");
  const deep = await at("comprehensive");

  expect(quick).not.toContain("undocumented_method Keeper.sleep");
  expect(await at("standard")).toEqual([...quick, "undocumented_method Keeper.sleep"]);
  expect(deep).toEqual(
    expect.arrayContaining([
      "undocumented_type Level",
      "undocumented_constant brightest",
      "uncommented_function lightLamp",
      "uncommented_class Keeper",
    ]),
  );
});

test("[repository.gaps.pages] the suggested page mentions neighboring symbols, or is a new one", async () => {
  const { data } = repositoryLibrary({
    ...files,
    "guide/rewinding.md": "# Rewinding\n\nFast.\n",
    "guide/tape.md": "# Tapes\n\nOld.\n",
    "src/storage/disc.py": "def spin(disc):\n    pass\n",
    "docs/adr/002-spin.md": "# 2. Spin\n\nWe `spin`.\n",
  });
  const { gaps } = await data("detect_documentation_gaps", { repositoryPath: "." });
  const of = (name: string) => gaps.find(({ symbol }: Data) => symbol === name);

  expect(of("rewind").page).toBe("guide/tape.md");
  expect([of("spin").page, of("spin").pageExists]).toEqual(["docs/reference/disc.md", false]);
  expect(of("spin").decisions).toEqual([{ page: "docs/adr/002-spin.md", line: 3 }]);
});

test("[repository.gaps.paged] gaps are paged without omissions", async () => {
  const { data } = repositoryLibrary(files);
  const whole = await data("detect_documentation_gaps", { repositoryPath: "." });
  const joined: string[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const input = { repositoryPath: ".", limit: 1, ...(cursor && { cursor }) };
    const part = await data("detect_documentation_gaps", input);
    joined.push(...gapLines(part));
    cursor = part.next_cursor;
    more = part.truncated;
  }

  expect(joined).toEqual(gapLines(whole));
  expect(whole.total).toBe(joined.length);
});

test("[repository.gaps.structure] missing kinds of pages are reported", async () => {
  const { data, output } = repositoryLibrary(files);
  const { missingStructure, overallScore, contentCoverage } = await data(
    "detect_documentation_gaps",
    { repositoryPath: "." },
  );

  expect(missingStructure).toEqual(["tutorial", "how-to", "explanation"]);
  expect(contentCoverage).toMatchObject({ symbols: 43, reference: 1, tutorials: 0 });
  expect(overallScore).toBe(39);
  const { metadata } = await output("detect_documentation_gaps", { repositoryPath: "." });
  expect(metadata.toolVersion).toBe("1.0.0");
});
