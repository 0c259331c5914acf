import type { Page } from "../../text/markdown/page.ts";
import { problemIn, type Yaml } from "./code-problem.ts";
import { issuesBy, type PageIssue } from "./content-issue.ts";

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
  let lettersOfYaml = 0;
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
    const text = lines.join("\n");
    const isYaml = /^ya?ml$/.test(language);
    if (isYaml) lettersOfYaml += text.length;
    const isLeftOut = isYaml && lettersOfYaml > mostYaml;
    const problem = isLeftOut ? undefined : problemIn(language, text, yaml);
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

/** What a page has more is not judged: its reader is slow, and nobody gets a turn meanwhile. */
const mostYaml = 200_000;

const isAllPrompts = (lines: readonly string[]): boolean => {
  const said = lines.filter((line) => line.trim() !== "" && !/\\$/.test(line));
  return said.length > 0 && said.every((line) => /^\s*\$ \S/.test(line));
};
