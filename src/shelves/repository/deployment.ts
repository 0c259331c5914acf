import type { Boundary } from "../../kernel/boundary.ts";
import { Failure, invalid } from "../../kernel/failure.ts";
import { textOf } from "./file-text.ts";
import { type GeneratorFound, generatorIn } from "./generator-found.ts";
import { generators, type Ssg } from "./generators.ts";
import { openTree } from "./repository-tree.ts";
import {
  type Deployment,
  type Install,
  pagesWorkflow,
  vercelSettings,
  vercelWorkflow,
} from "./workflow.ts";
import type { PlannedFile } from "./writing.ts";
import { jsonText } from "./written-values.ts";

export const targets = ["github-pages", "vercel"] as const;

export type Target = (typeof targets)[number];

export interface DeploymentAsked {
  ssg?: Ssg | undefined;
  target: Target;
  branch?: string | undefined;
  customDomain?: string | undefined;
  projectPath?: string | undefined;
}

/** What would be written for a repository, and what it rests on. */
export interface DeploymentPlan {
  deployment: Deployment;
  found: GeneratorFound | undefined;
  files: PlannedFile[];
}

/** Nothing is asked of the network and nothing is run: a plan is made of files that are there. */
export function planDeployment(
  boundary: Boundary,
  root: string,
  asked: DeploymentAsked,
): DeploymentPlan {
  const found = generatorIn(boundary, root);
  const ssg = asked.ssg ?? found?.ssg;
  if (!ssg) throw notSpecified();
  const customDomain = asked.customDomain === undefined ? undefined : domain(asked.customDomain);
  const isFound = found?.ssg === ssg;
  const folder =
    asked.projectPath === undefined ? (isFound ? found.folder : "") : inner(asked.projectPath);
  const deployment: Deployment = {
    ssg,
    branch: asked.branch === undefined ? currentBranch(boundary, root) : branchNamed(asked.branch),
    folder,
    install: installIn(boundary, root, folder, ssg),
    customDomain,
  };
  return { deployment, found, files: filesFor(asked.target, deployment) };
}

function filesFor(target: Target, deployment: Deployment): PlannedFile[] {
  const { folder, customDomain } = deployment;
  if (target === "vercel") {
    const settings = folder === "" ? "vercel.json" : `${folder}/vercel.json`;
    return [
      { file: ".github/workflows/deploy-vercel.yml", text: vercelWorkflow(deployment) },
      { file: settings, text: jsonText(vercelSettings(deployment)) },
    ];
  }
  return [
    { file: ".github/workflows/deploy-github-pages.yml", text: pagesWorkflow(deployment) },
    ...(customDomain ? [{ file: "CNAME", text: `${customDomain}\n` }] : []),
  ];
}

/** The way to install that the lock file in the folder asks for. */
function installIn(boundary: Boundary, root: string, folder: string, ssg: Ssg): Install {
  const tree = openTree(root, boundary);
  // A lock file may be longer than what is read of a repository.
  const has = (name: string) => tree.at(folder === "" ? name : `${folder}/${name}`).kind === "file";
  switch (generators[ssg].ecosystem) {
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

/** The branch that is checked out, as git's own file says; `main` where it does not. */
function currentBranch(boundary: Boundary, root: string): string {
  const head = textOf(boundary, root, ".git/HEAD") ?? "";
  const name = /^ref: refs\/heads\/(\S+)/.exec(head)?.[1] ?? "main";
  return isBranch(name) ? name : "main";
}

function branchNamed(given: string): string {
  if (given === "gh-pages") {
    throw invalid("Invalid parameter 'branch': the workflow publishes without a branch of pages.", [
      "Give the branch that you write on, or leave it out.",
    ]);
  }
  if (isBranch(given)) return given;
  throw invalid("Invalid parameter 'branch': it is no name of a branch.");
}

const isBranch = (name: string): boolean =>
  /^[A-Za-z0-9][\w./-]{0,199}$/.test(name) && !/\.\.|\/\/|[./]$|\.lock$/.test(name);

function domain(given: string): string {
  const name = given
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/$/, "");
  const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
  if (name.length <= 253 && new RegExp(`^(?:${label}\\.)+${label}$`).test(name)) return name;
  throw invalid("Invalid parameter 'customDomain': it is no name such as docs.example.org.");
}

/** A folder of the repository, by a path that leads nowhere else and needs no quotes in a shell. */
function inner(given: string): string {
  const path = given.replaceAll("\\", "/").replace(/^\.\/|(?<!\/)\/+$/g, "");
  if (path === "." || path === "") return "";
  const isPlain = /^[\w.-]+(?:\/[\w.-]+)*$/.test(path) && !path.startsWith("-");
  if (isPlain && !path.split("/").includes("..")) return path;
  throw invalid("Invalid parameter 'projectPath': give a folder below the repository.");
}

const notSpecified = (): Failure =>
  new Failure("invalid", "SSG_NOT_SPECIFIED", "No site generator was found in the repository.", {
    hints: ["Give ssg, or call generate_config first."],
  });
