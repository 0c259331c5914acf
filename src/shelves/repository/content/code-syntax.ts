/** The YAML parser, loaded only when pages are checked. */
export type YamlParser = Pick<typeof import("yaml"), "parseAllDocuments">;

/** A problem with its 1-based line in the code; false if there is none. */
type SyntaxProblem = { line: number; message: string } | false;

const maxCodeLength = 200_000;

/** Checks the syntax of code. Undefined if the language is not supported or parts are elided. */
export function findSyntaxProblem(
  language: string,
  text: string,
  yaml: YamlParser,
): SyntaxProblem | undefined {
  if (text.trim() === "" || text.length > maxCodeLength || isElided(text)) return undefined;
  if (language === "json") return jsonProblem(text);
  const isYaml = language === "yaml" || language === "yml";
  return isYaml && !isTooComplex(text) ? yamlProblem(text, yaml) : undefined;
}

/** Ellipses, placeholders and templates mark parts that the reader fills in. */
const isElided = (text: string): boolean =>
  /\.\.\.|…|\{\{|\{%|<[A-Za-z][\w -]*>|^[ \t]*(\/\/|\/\*)/m.test(text);

function jsonProblem(text: string): SyntaxProblem {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const position = Number(
      /position (\d+)/.exec(message)?.[1] ?? (/end of JSON/.test(message) ? text.length : 0),
    );
    // JSON Lines: one value per line.
    if (text.trim().split("\n").every(isJson)) return false;
    return {
      line: lineAt(text, position),
      message: /end of JSON/.test(message) ? "it ends too early" : "it is not JSON here",
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

const maxYamlLength = 50_000;
const maxYamlDepth = 100;

/**
 * The YAML parser is recursive, and a stack overflow could end the process. The block nesting of a
 * line is at most the number of indicators and blanks before its first word.
 */
function isTooComplex(text: string): boolean {
  if (text.length > maxYamlLength || /^[ \t?:-]{200}/m.test(text)) return true;
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = bracket === "[" || bracket === "{" ? depth + 1 : Math.max(depth - 1, 0);
    if (depth > maxYamlDepth) return true;
  }
  return false;
}

function yamlProblem(text: string, { parseAllDocuments }: YamlParser): SyntaxProblem {
  const documents = parseAllDocuments(text, {
    logLevel: "silent",
    uniqueKeys: false,
    // Each pretty error would search for its line from the start of the text.
    prettyErrors: false,
  });
  const errors = Array.isArray(documents) ? documents.flatMap((document) => document.errors) : [];
  const [first] = errors;
  if (!first) return false;
  return { line: lineAt(text, first.pos[0]), message: first.message.replace(/\.$/, "") };
}

const lineAt = (text: string, position: number): number =>
  text.slice(0, position).split("\n").length;
