/** The kind of a language. A programming language is preferred as primary language. */
type LanguageKind = "program" | "page" | "prose" | "query";

/** File extensions by language, as in GitHub Linguist. */
const extensions: Record<LanguageKind, Record<string, string>> = {
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

const languageByExtension = new Map<string, Language>();
for (const [kind, languages] of Object.entries(extensions)) {
  for (const [name, all] of Object.entries(languages)) {
    // `Object.entries` loses the type of the keys.
    const language = { name, kind: kind as LanguageKind };
    for (const ending of all.split(" ")) languageByExtension.set(ending, language);
  }
}

/** `md` for `docs/Guide.MD`; empty for names such as `Makefile` or `.gitignore`. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
}

export const programmingLanguageOf = (path: string): Language | undefined =>
  languageByExtension.get(extensionOf(path));

export const isProgramFile = (path: string): boolean =>
  programmingLanguageOf(path)?.kind === "program";

/** Whether a file is a documentation page: Markdown or a similar format. */
export const isDocumentPage = (path: string): boolean => {
  const language = programmingLanguageOf(path);
  return language?.kind === "prose" && language.name !== "TeX";
};

export const isMarkdownFile = (path: string): boolean =>
  programmingLanguageOf(path)?.name === "Markdown";

const globOf = (accepts: (name: string) => boolean): string =>
  `**/*.{${Object.entries(extensions.prose)
    .flatMap(([name, all]) => (accepts(name) ? all.split(" ") : []))
    .join(",")}}`;

/** A glob for `isDocumentPage`. */
export const documentPageGlob = globOf((name) => name !== "TeX");

/** A glob for `isMarkdownFile`. */
export const markdownGlob = globOf((name) => name === "Markdown");

/** Bytes per language, largest first. */
export function bytesByLanguage(
  files: Iterable<{ path: string; size: number }>,
): Record<string, number> {
  const bytes = new Map<string, number>();
  for (const { path, size } of files) {
    const name = programmingLanguageOf(path)?.name;
    if (name !== undefined) bytes.set(name, (bytes.get(name) ?? 0) + size);
  }
  return Object.fromEntries([...bytes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
}

/**
 * The primary language of a project: the programming language with the most bytes, or else the
 * largest other language. `.h` headers count for C or C++, whichever has more code.
 */
export function primaryLanguage(files: readonly { path: string; size: number }[]): string | null {
  const bytes = bytesByLanguage(files);
  const isCpp = (bytes["C++"] ?? 0) > bytesWithExtension(files, "c");
  if (isCpp) {
    const headers = bytesWithExtension(files, "h");
    bytes["C++"] = (bytes["C++"] ?? 0) + headers;
    bytes.C = (bytes.C ?? 0) - headers;
  }
  for (const kind of ["program", "page"] as const) {
    const best = Object.entries(bytes)
      .filter(([name, size]) => Object.hasOwn(extensions[kind], name) && size > 0)
      .sort((a, b) => b[1] - a[1])[0];
    if (best) return best[0];
  }
  return null;
}

const bytesWithExtension = (
  files: readonly { path: string; size: number }[],
  ending: string,
): number =>
  files.reduce((sum, { path, size }) => (extensionOf(path) === ending ? sum + size : sum), 0);
