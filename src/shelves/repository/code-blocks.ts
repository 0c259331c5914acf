import type { Page } from "../../text/markdown/page.ts";
import { issuesBy, type PageIssue } from "./content-issue.ts";

/** The reader of YAML, which is loaded only where pages are checked. */
export type Yaml = Pick<typeof import("yaml"), "parseAllDocuments">;

/** How the code on pages was found. */
export interface CodeCount {
  blocks: number;
  /** Those in a language that can be judged here. */
  checked: number;
  invalid: number;
}

const issue = issuesBy("code", {
  "unclosed-code": {
    type: "error",
    confidence: 1,
    suggestedFix: "Close it with a fence like the one that opens it.",
  },
  "no-language": {
    type: "info",
    confidence: 0.9,
    suggestedFix: "Write the language behind the fence, or `text`.",
  },
  "invalid-code": {
    type: "error",
    confidence: 0.9,
    suggestedFix: "Mend it, or mark what is left out by '...'.",
  },
  "prompts-in-commands": {
    type: "info",
    confidence: 0.7,
    suggestedFix: "Leave the '$' out, or show the output too.",
  },
});

/** What is wrong with a page's code, as far as it can be told without running anything. */
export function* codeIssues(page: Page, count: CodeCount, yaml: Yaml): Generator<PageIssue> {
  for (const { info, lines, line, isClosed } of page.codes) {
    if (info === null) continue;
    count.blocks++;
    const evidence = `\`\`\`${info}`;
    if (!isClosed) {
      const description = "The code has no end, so the rest of the page is shown as code.";
      yield issue("unclosed-code", { line, description, evidence });
    }
    if (info === "") {
      yield issue("no-language", {
        line,
        description: "The code does not say its language.",
        evidence,
      });
    }
    const language = info.split(/[\s{,]/)[0]?.toLowerCase() ?? "";
    const problem = problemIn(language, lines.join("\n"), yaml);
    if (problem !== undefined) count.checked++;
    if (problem) {
      count.invalid++;
      yield issue("invalid-code", {
        line: line + problem.line,
        description: `The ${language} cannot be read: ${problem.says}.`,
        evidence: lines[problem.line - 1] ?? "",
      });
    }
    if (/^(sh|bash|zsh|shell)$/.test(language) && isAllPrompts(lines)) {
      const description = "Every line begins with a prompt, which is copied with the command.";
      yield issue("prompts-in-commands", { line: line + 1, description, evidence: lines[0] ?? "" });
    }
  }
}

/** A place in code, counted from its first line; false where nothing is wrong. */
type Problem = { line: number; says: string } | false;

/** Undefined where the language is not known here, or something is left out on purpose. */
function problemIn(language: string, text: string, yaml: Yaml): Problem | undefined {
  if (text.trim() === "" || text.length > 200_000 || isElided(text)) return undefined;
  if (language === "json") return jsonProblem(text);
  if (language === "yaml" || language === "yml") return yamlProblem(text, yaml);
  return undefined;
}

/** Dots, placeholders and templates stand for something that a reader fills in. */
const isElided = (text: string): boolean =>
  /\.\.\.|…|\{\{|\{%|<[A-Za-z][\w -]*>|^\s*(\/\/|\/\*)/m.test(text);

function jsonProblem(text: string): Problem {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const said = error instanceof Error ? error.message : "";
    const position = Number(
      /position (\d+)/.exec(said)?.[1] ?? (/end of JSON/.test(said) ? text.length : 0),
    );
    // Several values one below the other are read line by line.
    if (text.trim().split("\n").every(isJson)) return false;
    return {
      line: text.slice(0, position).split("\n").length,
      says: /end of JSON/.test(said) ? "it ends too early" : "it is no JSON here",
    };
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return text.trim() === "";
  }
}

function yamlProblem(text: string, { parseAllDocuments }: Yaml): Problem {
  const documents = parseAllDocuments(text, { logLevel: "silent", uniqueKeys: false });
  const errors = Array.isArray(documents) ? documents.flatMap(({ errors }) => errors) : [];
  const [first] = errors;
  if (!first) return false;
  const line = first.linePos?.[0].line ?? 1;
  const says = (first.message.split("\n")[0] ?? "")
    .replace(/ at line \d+.*$/, "")
    .replace(/\.$/, "");
  return { line, says };
}

const isAllPrompts = (lines: readonly string[]): boolean => {
  const said = lines.filter((line) => line.trim() !== "" && !/\\$/.test(line));
  return said.length > 0 && said.every((line) => /^\s*\$ \S/.test(line));
};
