/** What a language is for: a primary language is one of programs, unless there is none. */
type LanguageKind = "program" | "page" | "prose" | "query";

/** Languages by the endings of their files, as people who count bytes agree on them. */
const endings: Record<LanguageKind, Record<string, string>> = {
  program: {
    Ada: "adb ads",
    Assembly: "asm s",
    Astro: "astro",
    Batchfile: "bat cmd",
    C: "c h",
    "C#": "cs csx",
    "C++": "cc cpp cxx c++ hh hpp hxx ipp tpp",
    Clojure: "clj cljs cljc",
    CoffeeScript: "coffee",
    "Common Lisp": "lisp lsp",
    Crystal: "cr",
    CUDA: "cu cuh",
    D: "d",
    Dart: "dart",
    Elixir: "ex exs",
    Elm: "elm",
    "Emacs Lisp": "el",
    Erlang: "erl hrl",
    "F#": "fs fsi fsx",
    Fortran: "f f90 f95 for",
    GDScript: "gd",
    Go: "go",
    Groovy: "groovy gvy",
    Haskell: "hs lhs",
    Haxe: "hx",
    HCL: "tf hcl",
    Java: "java",
    JavaScript: "js mjs cjs jsx",
    Julia: "jl",
    Kotlin: "kt kts",
    Lua: "lua",
    Nim: "nim",
    Nix: "nix",
    "Objective-C": "m mm",
    OCaml: "ml mli",
    Pascal: "pas dpr",
    Perl: "pl pm",
    PHP: "php phtml",
    PowerShell: "ps1 psm1 psd1",
    PureScript: "purs",
    Python: "py pyi pyx pyw",
    R: "r",
    Racket: "rkt",
    Ruby: "rb rake gemspec",
    Rust: "rs",
    Scala: "scala sc",
    Scheme: "scm ss",
    Shell: "sh bash zsh fish ksh",
    Solidity: "sol",
    Starlark: "bzl star",
    Svelte: "svelte",
    Swift: "swift",
    SystemVerilog: "sv svh",
    Tcl: "tcl",
    TypeScript: "ts tsx mts cts",
    VHDL: "vhd vhdl",
    "Vim Script": "vim",
    "Visual Basic": "vb",
    Vue: "vue",
    WebAssembly: "wat wast",
    Zig: "zig",
  },
  page: { CSS: "css", HTML: "html htm xhtml", Less: "less", Sass: "sass", SCSS: "scss" },
  prose: {
    AsciiDoc: "adoc asciidoc",
    Markdown: "md mdx markdown mkd",
    Org: "org",
    reStructuredText: "rst",
    TeX: "tex",
  },
  query: { SQL: "sql" },
};

interface Language {
  name: string;
  kind: LanguageKind;
}

const byEnding = new Map<string, Language>();
for (const [kind, languages] of Object.entries(endings)) {
  for (const [name, all] of Object.entries(languages)) {
    // `Object.entries` forgets the type of its keys.
    const language = { name, kind: kind as LanguageKind };
    for (const ending of all.split(" ")) byEnding.set(ending, language);
  }
}

/** `md` of `docs/Guide.MD`; empty for a name without one, such as `Makefile` or `.gitignore`. */
export function endingOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
}

export const languageOf = (path: string): Language | undefined => byEnding.get(endingOf(path));

export const isProgram = (path: string): boolean => languageOf(path)?.kind === "program";

/** Whether a file is a page that somebody reads: Markdown and its like. */
export const isPage = (path: string): boolean => {
  const language = languageOf(path);
  return language?.kind === "prose" && language.name !== "TeX";
};

export const isMarkdown = (path: string): boolean => languageOf(path)?.name === "Markdown";

const globOf = (isMeant: (name: string) => boolean): string =>
  `**/*.{${Object.entries(endings.prose)
    .flatMap(([name, all]) => (isMeant(name) ? all.split(" ") : []))
    .join(",")}}`;

/** Every file that `isPage` says yes to, as a glob. */
export const pageGlob = globOf((name) => name !== "TeX");

/** The same for `isMarkdown`. */
export const markdownGlob = globOf((name) => name === "Markdown");

/** Bytes of each language, the largest first. */
export function bytesByLanguage(
  files: Iterable<{ path: string; size: number }>,
): Record<string, number> {
  const bytes = new Map<string, number>();
  for (const { path, size } of files) {
    const name = languageOf(path)?.name;
    if (name !== undefined) bytes.set(name, (bytes.get(name) ?? 0) + size);
  }
  return Object.fromEntries([...bytes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
}

/**
 * The language that a project is written in: of programs the one with most bytes, of pages where
 * there are no programs. Headers that end in `.h` go with whichever of C and C++ there is more of.
 */
export function primaryLanguage(files: readonly { path: string; size: number }[]): string | null {
  const bytes = bytesByLanguage(files);
  const isCpp = (bytes["C++"] ?? 0) > bytesOf(files, "c");
  if (isCpp) {
    const headers = bytesOf(files, "h");
    bytes["C++"] = (bytes["C++"] ?? 0) + headers;
    bytes.C = (bytes.C ?? 0) - headers;
  }
  for (const kind of ["program", "page"] as const) {
    const best = Object.entries(bytes)
      .filter(([name, size]) => Object.hasOwn(endings[kind], name) && size > 0)
      .sort((a, b) => b[1] - a[1])[0];
    if (best) return best[0];
  }
  return null;
}

const bytesOf = (files: readonly { path: string; size: number }[], ending: string): number =>
  files.reduce((sum, { path, size }) => (endingOf(path) === ending ? sum + size : sum), 0);
