import { expect, test } from "vitest";
import { splitLines } from "../strings/lines.ts";
import { classifyDiataxis } from "./diataxis.ts";

const guess = (path: string, text: string) => classifyDiataxis(path, splitLines(text));

test("an explicit kind takes precedence", () => {
  const page = "---\ntype: explanation\n---\n# How to light the lamp\n";
  expect(guess("docs/how-to/lamp.md", page)).toMatchObject({
    type: "explanation",
    evidence: [{ line: 2, seen: "front matter type: explanation", weight: 10 }, {}, {}],
  });
});

test("the innermost folder that names a kind wins", () => {
  expect(guess("docs/guides/reference/lamps.md", "# Lamps\n").type).toBe("reference");
  expect(guess("docs/02-tutorials/lamps.md", "# Lamps\n").type).toBe("tutorial");
});

test("each kind is detected by its title and structure", () => {
  const steps = "1. Open it.\n2. Fill it.\n3. Light it.\n";
  const table = `| a | b |\n|---|---|\n${"| x | y |\n".repeat(6)}`;
  const prose = `${"The lamp stands where it does because the cliff would hide it elsewhere.\n".repeat(8)}`;
  expect(guess("a.md", `# How to fill the lamp\n${steps}`).type).toBe("how-to");
  expect(guess("a.md", `# Your first lamp\nLet's light one.\n${steps}`).type).toBe("tutorial");
  expect(guess("a.md", `# Lamp options\n## Parameters\n${table}`).type).toBe("reference");
  expect(guess("a.md", `# Why lamps\n## Trade-offs\n${prose}`).type).toBe("explanation");
});

test("a page without evidence has no kind", () => {
  for (const text of ["", "# Lamps\n", "# Lamps\nSome words, because.\n"]) {
    expect(guess("docs/lamps.md", text)).toMatchObject({ type: "unknown", confidence: 0 });
  }
});

test("code does not count as the page's wording", () => {
  const code = "```\nIn this tutorial we will build\n1. a\n2. b\n3. c\n```\n";
  expect(guess("a.md", `# Lamps\n${code}`).evidence).toEqual([]);
});

test("a repeated heading counts at most three times", () => {
  const text = `# Lamps\n${"## Options\n".repeat(40)}`;
  expect(guess("a.md", text).weights.reference).toBe(4.5);
});
