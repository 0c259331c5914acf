import { Failure, invalid } from "../../../kernel/failure.ts";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { childPath } from "../../../text/strings/relative-path.ts";
import { formatJson } from "../files/escaped-text.ts";
import type { PlannedFile } from "../files/file-writer.ts";
import { readRepositoryText } from "../repo/file-text.ts";
import { createRepoTree } from "../repo/repo-tree.ts";
import {
  type Deployment,
  type InstallMethod,
  pagesWorkflow,
  vercelSettings,
  vercelWorkflow,
} from "./deployment-workflow.ts";
import { type DetectedGenerator, detectGenerator } from "./generator-detection.ts";
import { type Ssg, siteGenerators } from "./site-generators.ts";

export const deployTargets = ["github-pages", "vercel"] as const;

export type DeployTarget = (typeof deployTargets)[number];

export interface DeploymentRequest {
  ssg?: Ssg | undefined;
  target: DeployTarget;
  branch?: string | undefined;
  customDomain?: string | undefined;
  projectPath?: string | undefined;
}

/** The files to write for a repository, and their parameters. */
export interface DeploymentPlan {
  deployment: Deployment;
  detected: DetectedGenerator | undefined;
  files: PlannedFile[];
}

/**
 * Plans a deployment from local files only, without network access and without running anything.
 */
export function planDeployment(
  boundary: Boundary,
  root: string,
  request: DeploymentRequest,
): DeploymentPlan {
  const detected = detectGenerator(boundary, root);
  const ssg = request.ssg ?? detected?.ssg;
  if (!ssg) throw ssgNotSpecified();
  const customDomain =
    request.customDomain === undefined ? undefined : parseDomain(request.customDomain);
  const isDetected = detected?.ssg === ssg;
  const folder =
    request.projectPath === undefined
      ? isDetected
        ? detected.folder
        : ""
      : parseSubfolder(request.projectPath);
  const deployment: Deployment = {
    ssg,
    branch:
      request.branch === undefined ? currentBranch(boundary, root) : parseBranch(request.branch),
    folder,
    install: detectInstall(boundary, root, folder, ssg),
    customDomain,
  };
  return { deployment, detected, files: deploymentFiles(request.target, deployment) };
}

function deploymentFiles(target: DeployTarget, deployment: Deployment): PlannedFile[] {
  const { folder, customDomain } = deployment;
  if (target === "vercel") {
    const settings = folder === "" ? "vercel.json" : `${folder}/vercel.json`;
    return [
      { file: ".github/workflows/deploy-vercel.yml", text: vercelWorkflow(deployment) },
      { file: settings, text: formatJson(vercelSettings(deployment)) },
    ];
  }
  return [
    { file: ".github/workflows/deploy-github-pages.yml", text: pagesWorkflow(deployment) },
    ...(customDomain ? [{ file: "CNAME", text: `${customDomain}\n` }] : []),
  ];
}

/** The install method for the lock file in the folder. */
function detectInstall(boundary: Boundary, root: string, folder: string, ssg: Ssg): InstallMethod {
  const tree = createRepoTree(root, boundary);
  // Lock files may exceed the size limit for reading, so only their names are checked.
  const has = (name: string) => tree.lookup(childPath(folder, name)).kind === "file";
  switch (siteGenerators[ssg].ecosystem) {
    case "python":
      return has("requirements.txt") ? "requirements" : "none";
    case "ruby":
      return "bundle";
    case "go":
      return "none";
    case "javascript": {
      if (has("pnpm-lock.yaml")) return "pnpm";
      if (has("yarn.lock")) return "yarn";
      return has("package-lock.json") ? "npm ci" : "npm install";
    }
  }
}

/** The branch in `.git/HEAD`; `main` if there is none. */
function currentBranch(boundary: Boundary, root: string): string {
  const head = readRepositoryText(boundary, root, ".git/HEAD") ?? "";
  const name = /^ref: refs\/heads\/(\S+)/.exec(head)?.[1] ?? "main";
  return isBranchName(name) ? name : "main";
}

function parseBranch(branch: string): string {
  if (branch === "gh-pages") {
    throw invalid("Invalid parameter 'branch': the workflow does not use a gh-pages branch.", [
      "Give the branch with the sources, or omit it.",
    ]);
  }
  if (isBranchName(branch)) return branch;
  throw invalid("Invalid parameter 'branch': it is not a valid branch name.");
}

const isBranchName = (name: string): boolean =>
  /^[A-Za-z0-9][\w./-]{0,199}$/.test(name) && !/\.\.|\/\/|[./]$|\.lock$/.test(name);

function parseDomain(domain: string): string {
  const name = domain
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/$/, "");
  const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
  if (name.length <= 253 && new RegExp(`^(?:${label}\\.)+${label}$`).test(name)) return name;
  throw invalid("Invalid parameter 'customDomain': give a domain such as docs.example.org.");
}

/**
 * Validates a subfolder path: it must stay inside the repository and need no quoting in a shell.
 */
function parseSubfolder(text: string): string {
  const path = text.replaceAll("\\", "/").replace(/^\.\/|(?<!\/)\/+$/g, "");
  if (path === "." || path === "") return "";
  const isPlain = /^[\w.-]+(?:\/[\w.-]+)*$/.test(path) && !path.startsWith("-");
  if (isPlain && !path.split("/").includes("..")) return path;
  throw invalid("Invalid parameter 'projectPath': give a folder below the repository.");
}

const ssgNotSpecified = (): Failure =>
  new Failure("invalid", "SSG_NOT_SPECIFIED", "No site generator was found in the repository.", {
    hints: ["Pass ssg, or call generate_config first."],
  });
