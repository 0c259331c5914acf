import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("../../..", import.meta.url));

/** A fenced code block of a page. */
export interface Block {
  language: string;
  text: string;
  line: number;
  /** Why it is not run, if the page says so: `<!-- not run: … -->` on the line before. */
  notRun?: string;
}

/** The pages with commands and files to copy. */
export const pages: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  "docs/exit-codes.md",
  "docs/security.md",
  "docs/models.md",
  "docs/architecture-knowledge.md",
  ...["guides", "shelves", "migration"].flatMap((folder) =>
    readdirSync(join(repository, "docs", folder))
      .filter((name) => name.endsWith(".md"))
      .sort()
      .map((name) => `docs/${folder}/${name}`),
  ),
];

export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(repository, page), "utf8");
  const fence = /(?:^<!-- not run: (.+) -->\n)?^```(\w+)\n([\s\S]*?)^```$/gm;
  return [...text.matchAll(fence)].map(({ 0: match, 1: notRun, 2: language, 3: body, index }) => ({
    language: language ?? "",
    text: body ?? "",
    line: text.slice(0, index + match.indexOf("```")).split("\n").length,
    ...(notRun !== undefined && { notRun }),
  }));
}

/** The commands of a block, one per line; a backslash continues a line. */
export const commandsOf = ({ text }: Block): string[] =>
  text
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));

export interface ConsoleCommand {
  command: string;
  /** The expected output; `…` matches anything. */
  expected: string;
}

/** The commands of a `console` block with their output. */
export const dialogueOf = ({ text }: Block): ConsoleCommand[] =>
  text.split(/^\$ /m).flatMap((part) => {
    const cut = part.indexOf("\n");
    return cut < 0 ? [] : [{ command: part.slice(0, cut), expected: part.slice(cut + 1) }];
  });

/** Whether a text matches the expected output. A line of `…` alone matches any lines. */
export function matchesOutput(expected: string, printed: string): boolean {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const lines = expected
    .split("\n")
    .map((line) => (line === "…" ? "[\\s\\S]*?" : line.split("…").map(literal).join(".*")));
  return new RegExp(`^${lines.join("\n")}$`).test(printed);
}
