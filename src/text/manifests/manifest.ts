/** The parts of a manifest that are used. Names are in the spelling of the ecosystem. */
export interface Manifest {
  /** False if it only groups packages, like the root of a workspace. */
  isPackage: boolean;
  isPrivate: boolean;
  name?: string | undefined;
  version?: string | undefined;
  description?: string | undefined;
  /** As written. */
  license?: string | undefined;
  /** Runtime dependencies. */
  dependencies: string[];
  /** Peer dependencies. */
  peers: string[];
  /** Development dependencies. */
  devDependencies: string[];
  /** Workspace folders, as patterns; a pattern that starts with `!` excludes. */
  members: string[];
  /** Folders that are excluded from the workspace. */
  excluded: string[];
  entries: ManifestEntry[];
  /** Tools that it configures or calls: `pytest`, `uv`, `node:test`. */
  tools: string[];
  packageManager?: string | undefined;
  buildBackend?: string | undefined;
}

export interface ManifestEntry {
  kind: "main" | "bin" | "module";
  /** Relative to the folder of the manifest, or a dotted Python path. */
  target: string;
  name?: string | undefined;
}

/** A manifest with default values. */
export const createManifest = (known: Partial<Manifest> = {}): Manifest => ({
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

/** Longer lines are data or malicious, and are skipped. */
export const shortLines = (text: string): string[] =>
  text.split(/\r?\n/).filter((line) => line.length <= 1_000);

/** The first capture group of the first matching line. */
export function firstMatch(lines: readonly string[], pattern: RegExp): string | undefined {
  for (const line of lines) {
    const found = pattern.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first capture groups of all matching lines, without duplicates. */
export const allMatches = (lines: readonly string[], pattern: RegExp): string[] => [
  ...new Set(lines.flatMap((line) => pattern.exec(line)?.[1] ?? [])),
];
