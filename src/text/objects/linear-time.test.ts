import { expect, test } from "vitest";
import { growth } from "../../../tests/fixtures/growth.ts";
import { parseObjects } from "./parse-objects.ts";
import { writeObjects } from "./writing/write-objects.ts";

const numbered = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");
const under = (heading: string, body: string): string => `# a [[a]]\n## b ${heading}\n${body}`;

/** Inputs that are expensive to parse, by size. */
const hostile: Record<string, (size: number) => string> = {
  "many headings": (n) => "# a\n".repeat(n),
  "the same id again and again": (n) => "# a [[x]]\n".repeat(n / 2),
  "brackets that open": (n) => `# ${"[[ ".repeat(n)}`,
  "brackets in brackets": (n) => `# ${"[[ [a]".repeat(n)}`,
  "references without an end": (n) => `# a [[a]]\n- a: ${"[[#a ".repeat(n)}`,
  "arrays in arrays": (n) => `# a [[a]]\n- a: ${"[a, ".repeat(n)}`,
  "backticks in pairs": (n) => `# a [[a]]\n${"`a` [[#a]] ".repeat(n)}`,
  "comments that open": (n) => "<!-- \n".repeat(n),
  "comments one by one": (n) => "<!-- a -->\n".repeat(n),
  "fences in items": (n) => "  ```a\n".repeat(n),
  "one field again and again": (n) => `# a [[a]]\n${"- a: 1\n".repeat(n)}`,
  "many fields": (n) => `# a [[a]]\n${numbered(n, (at) => `- k${at}: 1`)}`,
  "lists and blank lines": (n) => `# a [[a]]\n${"- a\n\n\n".repeat(n)}`,
  "a table": (n) => under("[[b: [K]]]", `|a|b|\n|-|-|\n${"|1|2|\n".repeat(n / 4)}`),
  "many items in headings": (n) =>
    under(
      "[[b: [K]]]",
      numbered(n / 4, (at) => `### k [[k${at}]]`),
    ),
  "many keys of YAML": (n) => under("[[b: yaml]]", `\`\`\`\n${numbered(n, (at) => `k${at}: v`)}`),
  "brackets of YAML": (n) => under("[[b: yaml]]", `\`\`\`\n${"[".repeat(n)}`),
  "quotes of YAML": (n) => under("[[b: yaml]]", `\`\`\`\n[${"'a',".repeat(n)}]`),
  "brackets of JSON": (n) => under("[[b: json]]", `\`\`\`\n${"[".repeat(n)}`),
  "a long line": (n) => `# a [[a]]\n- a: ${"x ".repeat(n)}`,
  "closing marks": (n) => `# ${"# ".repeat(n)}`,
  "blanks before the end": (n) => `# a${" ".repeat(n)}[[a]]\n- a: x${" ".repeat(n)}y`,
};

test.each(Object.entries(hostile))(
  "[objects.format.hostile] time grows linearly with input size: %s",
  (_name, text) => {
    expect(growth(5_000, (size) => writeObjects(parseObjects(text(size))))).toBeLessThan(10);
  },
);
