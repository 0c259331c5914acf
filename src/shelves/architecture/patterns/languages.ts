/** Languages offered as completions. */
export const codeLanguages: readonly string[] = [
  ..."bash c cpp csharp clojure dart elixir erlang fsharp go groovy haskell java javascript".split(
    " ",
  ),
  ..."julia kotlin lua ocaml perl php powershell python r ruby rust scala sql swift terraform".split(
    " ",
  ),
  ..."typescript zig".split(" "),
];

const languageAliases: Record<string, string> = {
  js: "javascript",
  node: "javascript",
  jsx: "javascript",
  ts: "typescript",
  tsx: "typescript",
  py: "python",
  golang: "go",
  rs: "rust",
  rb: "ruby",
  kt: "kotlin",
  cs: "csharp",
  "c#": "csharp",
  "c++": "cpp",
  "f#": "fsharp",
  sh: "bash",
  shell: "bash",
};

/** The canonical name of a language: `TS`, `tsx` and `TypeScript` are `typescript`. */
export function canonicalLanguage(text: string): string {
  const name = text.trim().toLowerCase();
  return Object.hasOwn(languageAliases, name) ? (languageAliases[name] ?? name) : name;
}
