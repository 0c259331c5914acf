import { join } from "node:path";
import type { Boundary } from "../../../kernel/paths/boundary.ts";
import { isFolder } from "../../../kernel/paths/file-stat.ts";
import { splitLines } from "../../../text/strings/lines.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import { childPath } from "../../../text/strings/relative-path.ts";
import { packageScripts } from "../repo/declared-commands.ts";
import { readRepositoryText } from "../repo/file-text.ts";
import { type DetectedGenerator, detectGenerator } from "./generator-detection.ts";
import { pagesFolder, siteGenerators } from "./site-generators.ts";

export interface DeploymentCheck {
  check: string;
  status: "pass" | "fail" | "warning";
  message: string;
  recommendation?: string;
}

const workflows = ["deploy-github-pages.yml", "deploy-vercel.yml"].map(
  (name) => `.github/workflows/${name}`,
);

/** Checks by its files whether a repository is ready to be published; nothing is fetched or run. */
export function checkDeployment(
  boundary: Boundary,
  root: string,
  url: string | undefined,
): DeploymentCheck[] {
  const detected = detectGenerator(boundary, root);
  return [
    generatorCheck(detected),
    ...(detected ? [dependencyCheck(boundary, root, detected), pagesCheck(root, detected)] : []),
    ...workflowChecks(boundary, root),
    ...(detected ? [outputCheck(boundary, root, detected)] : []),
    ...(url === undefined ? [] : [addressCheck(boundary, root, url)]),
  ];
}

export const overallStatuses = [
  "Ready for deployment",
  "Minor issues detected",
  "Configuration required",
] as const;

export function overallStatus(
  checks: readonly DeploymentCheck[],
): (typeof overallStatuses)[number] {
  if (checks.some(({ status }) => status === "fail")) return "Configuration required";
  const allPassed = checks.every(({ status }) => status === "pass");
  return allPassed ? "Ready for deployment" : "Minor issues detected";
}

function generatorCheck(detected: DetectedGenerator | undefined): DeploymentCheck {
  const check = "Site generator";
  if (detected) {
    const message = `${siteGenerators[detected.ssg].title} is configured by ${detected.config}`;
    return { check, status: "pass", message };
  }
  return {
    check,
    status: "fail",
    message: "No configuration of a known site generator was found",
    recommendation: "Call recommend_ssg, then generate_config",
  };
}

/** The dependencies that the build needs. */
function dependencyCheck(
  boundary: Boundary,
  root: string,
  detected: DetectedGenerator,
): DeploymentCheck {
  const check = "Dependencies";
  const manifest = {
    javascript: "package.json",
    python: "requirements.txt",
    ruby: "Gemfile",
    go: "",
  }[siteGenerators[detected.ssg].ecosystem];
  const file = manifest === "" ? "" : besideConfig(detected, manifest);
  if (file === "") return { check, status: "pass", message: "None are needed" };
  const text = readRepositoryText(boundary, root, file);
  if (text === undefined) {
    return {
      check,
      status: manifest === "requirements.txt" ? "warning" : "fail",
      message: `${file} is missing, so the build does not know what to install`,
      recommendation: "Call generate_config, or create it",
    };
  }
  if (manifest === "package.json" && !hasBuildScript(text)) {
    return {
      check,
      status: "fail",
      message: `${file} has no script named build, which the workflow runs`,
      recommendation: "Add a build script",
    };
  }
  return { check, status: "pass", message: `${file} exists` };
}

const hasBuildScript = (manifest: string): boolean =>
  packageScripts(manifest).some(([name]) => name === "build");

function pagesCheck(root: string, detected: DetectedGenerator): DeploymentCheck {
  const check = "Documentation files";
  const folders = [besideConfig(detected, pagesFolder), besideConfig(detected, "content"), "docs"];
  const folder = folders.find((path) => isFolder(join(root, path)));
  if (folder) return { check, status: "pass", message: `Pages are in ${folder}/` };
  return {
    check,
    status: "fail",
    message: `There is no folder ${folders[0]}/`,
    recommendation: "Call setup_structure",
  };
}

function workflowChecks(boundary: Boundary, root: string): DeploymentCheck[] {
  const check = "Workflow";
  const present = workflows.flatMap((file) => {
    const text = readRepositoryText(boundary, root, file);
    return text === undefined ? [] : [{ file, text }];
  });
  if (present.length === 0) {
    return [
      {
        check,
        status: "fail",
        message: "There is no workflow that publishes the site",
        recommendation: "Call deploy_pages or deploy_site",
      },
    ];
  }
  return present.flatMap(({ file, text }): DeploymentCheck[] => {
    const unpinned = unpinnedActions(text);
    return [
      { check, status: "pass", message: `${file} publishes the site` },
      unpinned.length === 0
        ? { check: "Pinned actions", status: "pass", message: "Every action has an exact version" }
        : {
            check: "Pinned actions",
            status: "warning",
            message: `${pluralise(unpinned.length, "action")} in ${file} may change: ${unpinned.join(", ")}`,
            recommendation: "Use an exact version or a commit",
          },
      ...permissionCheck(file, text),
    ];
  });
}

/** Actions referenced by a branch or a major version. */
const unpinnedActions = (workflow: string): string[] =>
  splitLines(workflow).flatMap((line) => {
    const action = /^\s*(?:-\s+)?uses:\s*["']?([^\s"'#]+)/.exec(line)?.[1];
    if (action === undefined || action.startsWith("./")) return [];
    return /@(?:v?\d+\.\d+\.\d+|[0-9a-f]{40}|sha256:[0-9a-f]{64})$/.test(action) ? [] : [action];
  });

function permissionCheck(file: string, workflow: string): DeploymentCheck[] {
  const check = "Permissions";
  const isDeclared = /^[ \t]*permissions:/m.test(workflow);
  const isBroad = /^[ \t]*(permissions:[ \t]*write-all|contents:[ \t]*write)/m.test(workflow);
  if (isDeclared && !isBroad) {
    return [{ check, status: "pass", message: `${file} requests only the permissions it needs` }];
  }
  return [
    {
      check,
      status: "warning",
      message: isBroad
        ? `${file} may write to the repository`
        : `${file} declares no permissions, so it has those of the repository settings`,
      recommendation: "Declare contents: read for building and pages: write for publishing alone",
    },
  ];
}

/** The workflow builds the site; local build output should not be committed by accident. */
function outputCheck(
  boundary: Boundary,
  root: string,
  detected: DetectedGenerator,
): DeploymentCheck {
  const check = "Build output";
  const output = siteGenerators[detected.ssg].output;
  const ignored = [".gitignore", besideConfig(detected, ".gitignore")]
    .flatMap((file) => splitLines(readRepositoryText(boundary, root, file) ?? ""))
    .map((line) => line.trim().replace(/^\/|\/$/g, ""));
  const isIgnored = ignored.includes(output) || ignored.includes(besideConfig(detected, output));
  if (isIgnored) return { check, status: "pass", message: `${output}/ is in .gitignore` };
  return {
    check,
    status: "warning",
    message: `${besideConfig(detected, output)}/ is build output and is not in .gitignore`,
    recommendation: `Add ${output}/ to .gitignore`,
  };
}

function addressCheck(boundary: Boundary, root: string, url: string): DeploymentCheck {
  const check = "Address";
  const host = URL.canParse(url) ? new URL(url) : undefined;
  if (host?.protocol !== "https:" && host?.protocol !== "http:") {
    return {
      check,
      status: "fail",
      message: "The address is not an http or https address",
      recommendation: "Give the full address, such as https://docs.example.org/",
    };
  }
  const domain = readRepositoryText(boundary, root, "CNAME")?.trim();
  if (domain && domain !== host.hostname) {
    return {
      check,
      status: "warning",
      message: `CNAME has ${domain}, the address has ${host.hostname}`,
      recommendation: "Use the same host in both",
    };
  }
  return {
    check,
    status: "warning",
    message: "The address was not visited because this check does not use the network",
    recommendation: `Open ${url} after the workflow has run`,
  };
}

const besideConfig = ({ folder }: DetectedGenerator, name: string): string =>
  childPath(folder, name);
