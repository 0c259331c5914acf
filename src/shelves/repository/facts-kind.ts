import { languageOf } from "../../text/languages.ts";
import { nameOf } from "./folders.ts";
import type { PlacedManifest, Sight } from "./sight.ts";

export type ProjectType = "library" | "application" | "documentation" | "script" | "unknown";

export interface KindFound {
  /** `python library`, `node monorepo`, `docs-heavy`. */
  kind: string;
  projectType: ProjectType;
  ecosystem: string;
}

/** What sort of project it is, by what it is made of and what others do with it. */
export function kindOf(
  sight: Sight,
  bytes: Readonly<Record<string, number>>,
  primary: string | null,
): KindFound {
  const ecosystem = ecosystemOf(sight, primary);
  const projectType = projectTypeOf(sight, bytes, ecosystem);
  const language = ecosystem === "javascript" ? "node" : ecosystem;
  const { files } = sight;
  if (files.length === 0) return { kind: "empty", projectType, ecosystem };
  if (files.length <= 3 && primary === null)
    return { kind: "almost empty", projectType, ecosystem };
  if (projectType === "documentation") return { kind: "docs-heavy", projectType, ecosystem };
  const word = language === "unknown" ? (primary ?? "").toLowerCase() : language;
  const type = sight.workspace.isMonorepo ? "monorepo" : projectType;
  return {
    kind: `${word} ${type === "unknown" ? "project" : type}`.trim(),
    projectType,
    ecosystem,
  };
}

/** The ecosystem that the primary language lives in, where a manifest speaks of it; else the first. */
function ecosystemOf({ speaking }: Sight, primary: string | null): string {
  const known = speaking
    .filter(({ kind }) => kind.role !== "build")
    .map(({ kind }) => kind.ecosystem);
  const wanted = primary === null ? undefined : homes[primary];
  if (wanted !== undefined && (known.includes(wanted) || known.length === 0)) return wanted;
  return known[0] ?? "unknown";
}

const homes: Record<string, string> = {
  C: "c",
  "C#": "dotnet",
  "C++": "c",
  Clojure: "clojure",
  Crystal: "crystal",
  Dart: "dart",
  Elixir: "elixir",
  Erlang: "erlang",
  "F#": "dotnet",
  Go: "go",
  Haskell: "haskell",
  Java: "java",
  JavaScript: "javascript",
  Julia: "julia",
  Kotlin: "java",
  PHP: "php",
  Python: "python",
  R: "r",
  Ruby: "ruby",
  Rust: "rust",
  Scala: "scala",
  Svelte: "javascript",
  Swift: "swift",
  TypeScript: "javascript",
  Vue: "javascript",
  Zig: "zig",
};

function projectTypeOf(
  sight: Sight,
  bytes: Readonly<Record<string, number>>,
  ecosystem: string,
): ProjectType {
  let [prose, programs] = [0, 0];
  for (const { path, size } of sight.files) {
    const kind = languageOf(path)?.kind;
    if (kind === "prose") prose += size;
    else if (kind === "program") programs += size;
  }
  if (prose > programs && sight.files.length > 3 && prose > 20_000) return "documentation";
  if (Object.keys(bytes).length === 0) return "unknown";
  const speaking = sight.speaking.filter(({ kind }) => kind.ecosystem === ecosystem);
  if (speaking.some((placed) => isLibrary(placed, sight))) return "library";
  const isRun = speaking.some(({ said }) => (said?.entries.length ?? 0) > 0) || hasMain(sight);
  if (isRun || speaking.length > 0) return "application";
  return programs > 0 && sight.own.length <= 20 ? "script" : "unknown";
}

/** Whether others are meant to depend on it. */
function isLibrary({ said, kind, folder, file }: PlacedManifest, sight: Sight): boolean {
  if (!said || kind.role !== "package" || !said.isPackage || said.isPrivate) return false;
  const at = (path: string): boolean => sight.has(folder === "" ? path : `${folder}/${path}`);
  switch (kind.ecosystem) {
    case "javascript":
      return said.entries.some(({ kind: entry }) => entry === "main");
    case "rust":
      return at("src/lib.rs");
    case "go":
      return !sight.own.some(({ path }) => /^(cmd\/[^/]+\/)?main\.go$/.test(path));
    case "dart":
      return !at("lib/main.dart");
    case "dotnet":
      return !said.tools.some((tool) => /OutputType (Exe|WinExe)|Sdk\.Web$/.test(tool));
    case "java":
      return !hasMain(sight);
    case "swift":
      return !said.tools.includes("executable");
    case "python":
      return said.name !== undefined || file.endsWith("setup.py");
    case "ruby":
      return file.endsWith(".gemspec");
    default:
      return said.name !== undefined;
  }
}

/** Files that a program begins in, by the habits of their languages. */
const mains =
  /^(main\.(go|rs|py|c|cc|cpp|java|kt|swift|dart)|program\.cs|manage\.py|app\.py|.*Application\.(java|kt)|index\.php|server\.[jt]s)$/i;

const hasMain = ({ own, roleOf }: Sight): boolean =>
  own.some(
    ({ path }) =>
      mains.test(nameOf(path)) &&
      roleOf(path.slice(0, -nameOf(path).length - 1)).tests === undefined,
  );
