import { endingOf } from "../../../text/languages.ts";

/** The grammars that ship with the parser and that we know the rules of. */
export type GrammarName =
  | "bash"
  | "c-sharp"
  | "cpp"
  | "go"
  | "java"
  | "javascript"
  | "php"
  | "python"
  | "ruby"
  | "rust"
  | "tsx"
  | "typescript";

const byEnding: Readonly<Record<string, GrammarName>> = {
  bash: "bash",
  c: "cpp",
  cc: "cpp",
  cjs: "javascript",
  cpp: "cpp",
  cs: "c-sharp",
  cts: "typescript",
  cxx: "cpp",
  go: "go",
  h: "cpp",
  hh: "cpp",
  hpp: "cpp",
  hxx: "cpp",
  java: "java",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  mts: "typescript",
  php: "php",
  py: "python",
  pyi: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  ts: "typescript",
  tsx: "tsx",
};

/** The grammar of a file; nothing where no file of its kind, or of its name, offers anything. */
export function grammarOf(path: string): GrammarName | undefined {
  const steps = path.split("/");
  const name = steps.pop() ?? "";
  const ending = endingOf(name);
  const grammar = Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined;
  if (!grammar || notOffered.test(name)) return undefined;
  switch (grammar) {
    case "cpp":
      return /\.h(h|pp|xx)?$/i.test(name) ? grammar : undefined;
    case "go":
      return steps.includes("internal") ? undefined : grammar;
    case "python":
      return [...steps, name].some(isPrivateModule) ? undefined : grammar;
    default:
      return grammar;
  }
}

/** Tests, settings of tools and what was made by a tool. */
const notOffered =
  /([._-](test|tests|spec|stories|bench|config|min|generated)\.\w+$)|(^(test_|conftest\.|setup\.py$|gulpfile\.|gruntfile\.))|(tests?\.(java|cs|php)$)/i;

const isPrivateModule = (name: string): boolean => /^_(?!_)/.test(name);
