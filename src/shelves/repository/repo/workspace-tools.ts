import type { Manifest } from "../../../text/manifests/manifest.ts";
import type { ManifestKind } from "../../../text/manifests/manifest-kinds.ts";
import { baseNameOf } from "../../../text/strings/relative-path.ts";

/** A manifest that may not have been read yet. */
export interface ManifestCandidate {
  file: string;
  /** The folder that it describes. */
  folder: string;
  kind: ManifestKind;
}

export interface WorkspaceTool {
  name: string;
  /** True if the tool discovers its projects without a list in the root. */
  discoversProjects?: boolean;
}

/** The workspace tools of a repository, by files in its root and their contents. */
export function detectWorkspaceTools(
  rootManifests: readonly { candidate: ManifestCandidate; manifest: Manifest }[],
  has: (path: string) => boolean,
): WorkspaceTool[] {
  const tools: WorkspaceTool[] = [];
  if (has("lerna.json")) tools.push({ name: "lerna" });
  if (has("nx.json")) tools.push({ name: "nx", discoversProjects: true });
  if (has("turbo.json")) tools.push({ name: "turbo" });
  if (has("rush.json")) tools.push({ name: "rush" });
  if (has(".moon/workspace.yml")) tools.push({ name: "moon", discoversProjects: true });
  if (rootManifests.some(({ manifest }) => manifest.tools.includes("melos")))
    tools.push({ name: "melos" });
  if (has("melos.yaml")) tools.push({ name: "melos", discoversProjects: true });
  if (has("pants.toml")) tools.push({ name: "pants" });
  if (has("MODULE.bazel") || has("WORKSPACE.bazel") || has("WORKSPACE"))
    tools.push({ name: "bazel" });
  for (const { candidate, manifest } of rootManifests) {
    if (manifest.members.length === 0) continue;
    const name = declaredTool(
      baseNameOf(candidate.file).toLowerCase(),
      candidate.kind,
      manifest,
      has,
    );
    if (name !== undefined) tools.push({ name });
  }
  return tools;
}

function declaredTool(
  file: string,
  { manager, ecosystem }: ManifestKind,
  { packageManager }: Manifest,
  has: (path: string) => boolean,
): string | undefined {
  if (file === "package.json") {
    if (has("pnpm-workspace.yaml")) return undefined;
    const isBun = has("bun.lock") || has("bun.lockb");
    const lockedManager = has("yarn.lock") ? "yarn" : isBun ? "bun" : "npm";
    return `${packageManager ?? lockedManager} workspaces`;
  }
  if (ecosystem === "dotnet") return "dotnet solution";
  if (ecosystem === "elixir") return "mix umbrella";
  if (file === "go.work") return "go workspaces";
  if (file === "pyproject.toml") return "uv workspaces";
  if (file === "deno.json" || file === "deno.jsonc") return "deno workspaces";
  if (manager === "maven") return "maven modules";
  if (manager === "gradle") return "gradle modules";
  if (manager === "pnpm" || manager === "cargo") return `${manager} workspaces`;
  if (file === "pubspec.yaml") return "pub workspaces";
  return manager === "sbt" ? "sbt modules" : undefined;
}
