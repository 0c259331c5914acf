/** The reader of YAML, which is loaded only where pages are checked. */
export type Yaml = Pick<typeof import("yaml"), "parseAllDocuments">;

/** A place in code, counted from its first line; false where nothing is wrong. */
type Problem = { line: number; says: string } | false;

const longestCode = 200_000;

/** Undefined where the language is not known here, or something is left out on purpose. */
export function problemIn(language: string, text: string, yaml: Yaml): Problem | undefined {
  if (text.trim() === "" || text.length > longestCode || isElided(text)) return undefined;
  if (language === "json") return jsonProblem(text);
  const isYaml = language === "yaml" || language === "yml";
  return isYaml && !isHard(text) ? yamlProblem(text, yaml) : undefined;
}

/** Dots, placeholders and templates stand for something that a reader fills in. */
const isElided = (text: string): boolean =>
  /\.\.\.|…|\{\{|\{%|<[A-Za-z][\w -]*>|^[ \t]*(\/\/|\/\*)/m.test(text);

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
      line: lineAt(text, position),
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

const longestYaml = 50_000;
const deepestYaml = 100;

/**
 * Its reader goes down into itself at each level, and a stack that is full may end the process. The
 * levels of a line are no more than the signs and blanks before its first word.
 */
function isHard(text: string): boolean {
  if (text.length > longestYaml || /^[ \t?:-]{200}/m.test(text)) return true;
  let open = 0;
  for (const [sign] of text.matchAll(/[[\]{}]/g)) {
    open = sign === "[" || sign === "{" ? open + 1 : Math.max(open - 1, 0);
    if (open > deepestYaml) return true;
  }
  return false;
}

function yamlProblem(text: string, { parseAllDocuments }: Yaml): Problem {
  const documents = parseAllDocuments(text, {
    logLevel: "silent",
    uniqueKeys: false,
    // Of many errors each would look for its line from the beginning.
    prettyErrors: false,
  });
  const errors = Array.isArray(documents) ? documents.flatMap((document) => document.errors) : [];
  const [first] = errors;
  if (!first) return false;
  return { line: lineAt(text, first.pos[0]), says: first.message.replace(/\.$/, "") };
}

const lineAt = (text: string, position: number): number =>
  text.slice(0, position).split("\n").length;
