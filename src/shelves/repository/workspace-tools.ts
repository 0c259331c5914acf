import type { ManifestKind } from "../../text/manifests/kinds.ts";
import type { Manifest } from "../../text/manifests/manifest.ts";
import { nameOf } from "./folders.ts";

/** A manifest that was found and may not have been read. */
export interface Candidate {
  file: string;
  /** The folder that it speaks for. */
  folder: string;
  kind: ManifestKind;
}

export interface WorkspaceTool {
  name: string;
  /** True where the tool knows its projects by itself, without a list in the root. */
  owns?: boolean;
}

/** What holds the packages of a repository together, by files of its root and what they say. */
export function workspaceTools(
  said: readonly { candidate: Candidate; manifest: Manifest }[],
  has: (path: string) => boolean,
): WorkspaceTool[] {
  const tools: WorkspaceTool[] = [];
  if (has("lerna.json")) tools.push({ name: "lerna" });
  if (has("nx.json")) tools.push({ name: "nx", owns: true });
  if (has("turbo.json")) tools.push({ name: "turbo" });
  if (has("rush.json")) tools.push({ name: "rush" });
  if (has(".moon/workspace.yml")) tools.push({ name: "moon", owns: true });
  if (said.some(({ manifest }) => manifest.tools.includes("melos"))) tools.push({ name: "melos" });
  if (has("melos.yaml")) tools.push({ name: "melos", owns: true });
  if (has("pants.toml")) tools.push({ name: "pants" });
  if (has("MODULE.bazel") || has("WORKSPACE.bazel") || has("WORKSPACE"))
    tools.push({ name: "bazel" });
  for (const { candidate, manifest } of said) {
    if (manifest.members.length === 0) continue;
    const name = declared(nameOf(candidate.file).toLowerCase(), candidate.kind, manifest, has);
    if (name !== undefined) tools.push({ name });
  }
  return tools;
}

function declared(
  file: string,
  { manager, ecosystem }: ManifestKind,
  { packageManager }: Manifest,
  has: (path: string) => boolean,
): string | undefined {
  if (file === "package.json") {
    if (has("pnpm-workspace.yaml")) return undefined;
    const isBun = has("bun.lock") || has("bun.lockb");
    const locked = has("yarn.lock") ? "yarn" : isBun ? "bun" : "npm";
    return `${packageManager ?? locked} workspaces`;
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
