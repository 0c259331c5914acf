import type { MarkdownPage } from "../../../text/markdown/page.ts";
import { findSyntaxProblem, type YamlParser } from "./code-syntax.ts";
import { issueBuilder, type PageIssue } from "./content-issue.ts";

/** Numbers of code blocks on pages. */
export interface CodeBlockCounts {
  blocks: number;
  /** Blocks in a language that can be checked. */
  checked: number;
  invalid: number;
}

const codeIssue = issueBuilder("code", {
  "unclosed-code": {
    type: "error",
    confidence: 1,
    suggestedFix: "Close it with a fence like the opening one.",
  },
  "no-language": {
    type: "info",
    confidence: 0.9,
    suggestedFix: "Write the language after the fence, or `text`.",
  },
  "invalid-code": {
    type: "error",
    confidence: 0.9,
    suggestedFix: "Fix it, or mark omitted parts with '...'.",
  },
  "prompts-in-commands": {
    type: "info",
    confidence: 0.7,
    suggestedFix: "Omit the '$', or show the output too.",
  },
});

/** Problems of a page's code that can be found without running it. */
export function* codeIssues(
  page: MarkdownPage,
  count: CodeBlockCounts,
  yaml: YamlParser,
): Generator<PageIssue> {
  let yamlChars = 0;
  for (const { info, lines, line, isClosed } of page.codeBlocks) {
    if (info === null) continue;
    count.blocks++;
    const evidence = `\`\`\`${info}`;
    if (!isClosed) {
      const description = "The code block is not closed, so the rest of the page is shown as code.";
      yield codeIssue("unclosed-code", { line, description, evidence });
    }
    if (info === "") {
      yield codeIssue("no-language", {
        line,
        description: "The code block has no language.",
        evidence,
      });
    }
    const language = info.split(/[\s{,]/)[0]?.toLowerCase() ?? "";
    const text = lines.join("\n");
    const isYaml = /^ya?ml$/.test(language);
    if (isYaml) yamlChars += text.length;
    const isSkipped = isYaml && yamlChars > maxYamlChars;
    const problem = isSkipped ? undefined : findSyntaxProblem(language, text, yaml);
    if (problem !== undefined) count.checked++;
    if (problem) {
      count.invalid++;
      yield codeIssue("invalid-code", {
        line: line + problem.line,
        description: `The ${language} is invalid: ${problem.message}.`,
        evidence: lines[problem.line - 1] ?? "",
      });
    }
    if (/^(sh|bash|zsh|shell)$/.test(language) && isAllPrompts(lines)) {
      const description = "Every line begins with a prompt, which readers copy with the command.";
      yield codeIssue("prompts-in-commands", {
        line: line + 1,
        description,
        evidence: lines[0] ?? "",
      });
    }
  }
}

/** Further YAML on a page is not checked: the parser is slow and would block the process. */
const maxYamlChars = 200_000;

const isAllPrompts = (lines: readonly string[]): boolean => {
  const commands = lines.filter((line) => line.trim() !== "" && !/\\$/.test(line));
  return commands.length > 0 && commands.every((line) => /^\s*\$ \S/.test(line));
};
