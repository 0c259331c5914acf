/** Languages that people review, as they are proposed to whoever types one. */
export const languages: readonly string[] = [
  ..."bash c cpp csharp clojure dart elixir erlang fsharp go groovy haskell java javascript".split(
    " ",
  ),
  ..."julia kotlin lua ocaml perl php powershell python r ruby rust scala sql swift terraform".split(
    " ",
  ),
  ..."typescript zig".split(" "),
];

const otherNames: Record<string, string> = {
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

/** One name for each language: `TS`, `tsx` and `TypeScript` are `typescript`. */
export function languageCalled(given: string): string {
  const name = given.trim().toLowerCase();
  return Object.hasOwn(otherNames, name) ? (otherNames[name] ?? name) : name;
}
