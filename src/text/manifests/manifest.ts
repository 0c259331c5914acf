/** What a manifest says of its package, as far as anybody asks. Names are as the ecosystem spells them. */
export interface Manifest {
  /** False where it only holds packages together, as the root of a workspace may. */
  isPackage: boolean;
  isPrivate: boolean;
  name?: string | undefined;
  version?: string | undefined;
  description?: string | undefined;
  /** As written. */
  license?: string | undefined;
  /** What it needs to run. */
  dependencies: string[];
  /** What its user must bring along. */
  peers: string[];
  /** What it needs to be made and tested. */
  devDependencies: string[];
  /** Folders of the packages that belong together, as patterns; a pattern that begins with ! takes away. */
  members: string[];
  /** Folders that do not belong, although they lie below. */
  excluded: string[];
  entries: Entry[];
  /** Tools that it sets up or calls: `pytest`, `uv`, `node:test`. */
  tools: string[];
  packageManager?: string | undefined;
  buildBackend?: string | undefined;
}

export interface Entry {
  kind: "main" | "bin" | "module";
  /** Relative to the manifest's folder, or dotted as Python writes it. */
  target: string;
  name?: string | undefined;
}

/** A manifest about which nothing else is known. */
export const manifest = (known: Partial<Manifest> = {}): Manifest => ({
  isPackage: true,
  isPrivate: false,
  dependencies: [],
  peers: [],
  devDependencies: [],
  members: [],
  excluded: [],
  entries: [],
  tools: [],
  ...known,
});

/** A longer line is data or malice, and no line of a manifest that is read by patterns. */
export const shortLines = (text: string): string[] =>
  text.split(/\r?\n/).filter((line) => line.length <= 1_000);

/** The first capture of the first line that fits. */
export function firstMatch(lines: readonly string[], pattern: RegExp): string | undefined {
  for (const line of lines) {
    const found = pattern.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first captures of every line that fits, without repetitions. */
export const allMatches = (lines: readonly string[], pattern: RegExp): string[] => [
  ...new Set(lines.flatMap((line) => pattern.exec(line)?.[1] ?? [])),
];
