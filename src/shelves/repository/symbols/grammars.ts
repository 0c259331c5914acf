import { extensionOf } from "../../../text/software/programming-languages.ts";

/** The grammars of the parser for which declaration rules exist. */
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

const byExtension: Readonly<Record<string, GrammarName>> = {
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

/** The grammar of a file; undefined if such a file has no public symbols. */
export function grammarForPath(path: string): GrammarName | undefined {
  const steps = path.split("/");
  const name = steps.pop() ?? "";
  const extension = extensionOf(name);
  const grammar = Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
  if (!grammar || excludedFileName.test(name)) return undefined;
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

/** Tests, tool configuration and generated files. */
const excludedFileName =
  /([._-](test|tests|spec|stories|bench|config|min|generated)\.\w+$)|(^(test_|conftest\.|setup\.py$|gulpfile\.|gruntfile\.))|(tests?\.(java|cs|php)$)/i;

const isPrivateModule = (name: string): boolean => /^_(?!_)/.test(name);
