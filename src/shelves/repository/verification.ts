import { join } from "node:path";
import type { Boundary } from "../../kernel/boundary.ts";
import { isFolder } from "../../kernel/path-kind.ts";
import { counted } from "../../text/counted.ts";
import { objectIn, parsedJson } from "../../text/json-value.ts";
import { linesOf } from "../../text/lines.ts";
import { textOf } from "./file-text.ts";
import { type GeneratorFound, generatorIn } from "./generator-found.ts";
import { generators, pagesFolder } from "./generators.ts";

export interface Check {
  check: string;
  status: "pass" | "fail" | "warning";
  message: string;
  recommendation?: string;
}

const workflows = ["deploy-github-pages.yml", "deploy-vercel.yml"].map(
  (name) => `.github/workflows/${name}`,
);

/** Whether a repository is ready to be published, by its files alone; nothing is fetched or run. */
export function verify(boundary: Boundary, root: string, url: string | undefined): Check[] {
  const found = generatorIn(boundary, root);
  return [
    generatorCheck(found),
    ...(found ? [needsCheck(boundary, root, found), pagesCheck(root, found)] : []),
    ...workflowChecks(boundary, root),
    ...(found ? [outputCheck(boundary, root, found)] : []),
    ...(url === undefined ? [] : [addressCheck(boundary, root, url)]),
  ];
}

export const overallStatuses = [
  "Ready for deployment",
  "Minor issues detected",
  "Configuration required",
] as const;

export function overallStatus(checks: readonly Check[]): (typeof overallStatuses)[number] {
  if (checks.some(({ status }) => status === "fail")) return "Configuration required";
  const isSpotless = checks.every(({ status }) => status === "pass");
  return isSpotless ? "Ready for deployment" : "Minor issues detected";
}

function generatorCheck(found: GeneratorFound | undefined): Check {
  const check = "Site generator";
  if (found) {
    const message = `${generators[found.ssg].title} is configured by ${found.config}`;
    return { check, status: "pass", message };
  }
  return {
    check,
    status: "fail",
    message: "No configuration of a known site generator was found",
    recommendation: "Call recommend_ssg, then generate_config",
  };
}

/** What the build needs beside the configuration itself. */
function needsCheck(boundary: Boundary, root: string, found: GeneratorFound): Check {
  const check = "Dependencies";
  const manifest = {
    javascript: "package.json",
    python: "requirements.txt",
    ruby: "Gemfile",
    go: "",
  }[generators[found.ssg].ecosystem];
  const file = manifest === "" ? "" : beside(found, manifest);
  if (file === "") return { check, status: "pass", message: "None are needed" };
  const text = textOf(boundary, root, file);
  if (text === undefined) {
    return {
      check,
      status: manifest === "requirements.txt" ? "warning" : "fail",
      message: `${file} is missing, so the build does not know what to install`,
      recommendation: "Call generate_config, or write it",
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
  return { check, status: "pass", message: `${file} is there` };
}

const hasBuildScript = (manifest: string): boolean =>
  typeof objectIn(objectIn(parsedJson(manifest)).scripts).build === "string";

function pagesCheck(root: string, found: GeneratorFound): Check {
  const check = "Documentation files";
  const folders = [beside(found, pagesFolder), beside(found, "content"), "docs"];
  const folder = folders.find((path) => isFolder(join(root, path)));
  if (folder) return { check, status: "pass", message: `Pages lie in ${folder}/` };
  return {
    check,
    status: "fail",
    message: `There is no folder ${folders[0]}/`,
    recommendation: "Call setup_structure",
  };
}

function workflowChecks(boundary: Boundary, root: string): Check[] {
  const check = "Workflow";
  const present = workflows.flatMap((file) => {
    const text = textOf(boundary, root, file);
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
  return present.flatMap(({ file, text }): Check[] => {
    const loose = looseActions(text);
    return [
      { check, status: "pass", message: `${file} publishes the site` },
      loose.length === 0
        ? { check: "Pinned actions", status: "pass", message: "Every action has its version" }
        : {
            check: "Pinned actions",
            status: "warning",
            message: `${counted(loose.length, "action")} in ${file} may change: ${loose.join(", ")}`,
            recommendation: "Name an exact version or a commit",
          },
      ...permissionCheck(file, text),
    ];
  });
}

/** Actions that are named by a branch or a major version alone. */
const looseActions = (workflow: string): string[] =>
  linesOf(workflow).flatMap((line) => {
    const used = /^\s*(?:-\s+)?uses:\s*["']?([^\s"'#]+)/.exec(line)?.[1];
    if (used === undefined || used.startsWith("./")) return [];
    return /@(?:v?\d+\.\d+\.\d+|[0-9a-f]{40}|sha256:[0-9a-f]{64})$/.test(used) ? [] : [used];
  });

function permissionCheck(file: string, workflow: string): Check[] {
  const check = "Permissions";
  const isDeclared = /^[ \t]*permissions:/m.test(workflow);
  const isBroad = /^[ \t]*(permissions:[ \t]*write-all|contents:[ \t]*write)/m.test(workflow);
  if (isDeclared && !isBroad) {
    return [{ check, status: "pass", message: `${file} asks for no more than it needs` }];
  }
  return [
    {
      check,
      status: "warning",
      message: isBroad
        ? `${file} may write to the repository`
        : `${file} declares no permissions, so it has those of the repository's settings`,
      recommendation: "Declare contents: read for building and pages: write for publishing alone",
    },
  ];
}

/** The site is built by the workflow; what lies here already should not be published by accident. */
function outputCheck(boundary: Boundary, root: string, found: GeneratorFound): Check {
  const check = "Build output";
  const output = generators[found.ssg].output;
  const ignored = [".gitignore", beside(found, ".gitignore")]
    .flatMap((file) => linesOf(textOf(boundary, root, file) ?? ""))
    .map((line) => line.trim().replace(/^\/|\/$/g, ""));
  const isIgnored = ignored.includes(output) || ignored.includes(beside(found, output));
  if (isIgnored) return { check, status: "pass", message: `${output}/ is left out by .gitignore` };
  return {
    check,
    status: "warning",
    message: `${beside(found, output)}/ is made by the build and is not in .gitignore`,
    recommendation: `Add ${output}/ to .gitignore`,
  };
}

function addressCheck(boundary: Boundary, root: string, url: string): Check {
  const check = "Address";
  const host = URL.canParse(url) ? new URL(url) : undefined;
  if (host?.protocol !== "https:" && host?.protocol !== "http:") {
    return {
      check,
      status: "fail",
      message: "The address is no http or https address",
      recommendation: "Give it whole, such as https://docs.example.org/",
    };
  }
  const domain = textOf(boundary, root, "CNAME")?.trim();
  if (domain && domain !== host.hostname) {
    return {
      check,
      status: "warning",
      message: `CNAME names ${domain}, the address ${host.hostname}`,
      recommendation: "Let both name the same host",
    };
  }
  return {
    check,
    status: "warning",
    message: "The address was not visited, since nothing here goes to the network",
    recommendation: `Open ${url} after the workflow has run`,
  };
}

const beside = ({ folder }: GeneratorFound, name: string): string =>
  folder === "" ? name : `${folder}/${name}`;
