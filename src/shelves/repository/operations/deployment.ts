import * as z from "zod";
import type { Call } from "../../../kernel/call.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { envelope, renderResult, type ToolResult, withEnvelope } from "../envelope.ts";
import {
  assertNotLinkedOutside,
  renderWriteResult,
  writeFiles,
  writeOptionsShape,
  writeResultShape,
} from "../files/file-writer.ts";
import { resolveRepository } from "../repo/repository-path.ts";
import { type DeployTarget, deployTargets, planDeployment } from "../sites/deployment.ts";
import { checkDeployment, overallStatus, overallStatuses } from "../sites/deployment-check.ts";
import { type Ssg, siteGenerators, ssgInput } from "../sites/site-generators.ts";
import type { RepositoryState } from "../state.ts";

const operation = operationsFor<RepositoryState>();

const repositoryInput = z.string().min(1).describe("Path of the repository").meta({ path: true });

const deploymentInput = {
  repository: repositoryInput,
  ssg: ssgInput.optional().describe("Detected if configured"),
  branch: z.string().optional().describe("Published branch; the current one by default"),
  customDomain: z.string().optional().describe("Such as docs.example.org"),
  projectPath: z.string().optional().describe("Folder of the site in the repository"),
  ...writeOptionsShape,
};

const deploymentOutput = envelope(
  z.object({
    repository: z.string(),
    ssg: ssgInput,
    target: z.enum(deployTargets),
    branch: z.string(),
    customDomain: z.string().optional(),
    workflowPath: z.string(),
    ...writeResultShape,
  }),
);

interface DeployInput {
  repository: string;
  ssg?: Ssg | undefined;
  branch?: string | undefined;
  customDomain?: string | undefined;
  projectPath?: string | undefined;
  dry_run: boolean;
  overwrite: boolean;
}

async function writeDeployment(
  request: DeployInput & { target: DeployTarget },
  state: RepositoryState,
  call: Call,
  name: string,
): Promise<ToolResult<z.input<typeof deploymentOutput>["data"]>> {
  const { repository, target, dry_run, overwrite } = request;
  const root = resolveRepository(state.boundary, repository);
  assertNotLinkedOutside(state.boundary, repository, root);
  const { deployment, detected, files } = planDeployment(state.boundary, root, request);
  const { ssg, branch, customDomain } = deployment;
  const hostName = target === "vercel" ? "Vercel" : "GitHub Pages";
  const summary = `Prepared publishing with ${siteGenerators[ssg].title} on ${hostName}`;
  const written = await writeFiles(
    state,
    { root, files, operation: name, summary, dry_run, overwrite },
    call,
  );
  return {
    data: {
      repository,
      ssg,
      target,
      branch,
      ...(customDomain !== undefined && { customDomain }),
      workflowPath: files[0]?.file ?? "",
      ...written,
    },
    recommendations: [
      ...(detected?.ssg === ssg
        ? []
        : [
            {
              type: "warning" as const,
              title: `${siteGenerators[ssg].title} is not configured here`,
              description: "The workflow fails until it is configured.",
              action: "generate_config",
            },
          ]),
      target === "vercel"
        ? {
            type: "info" as const,
            title: "The workflow needs three secrets",
            description: "Set VERCEL_TOKEN, VERCEL_ORG_ID and VERCEL_PROJECT_ID in the repository.",
          }
        : {
            type: "info" as const,
            title: "Pages must be published by the workflow",
            description:
              "In the repository settings choose GitHub Actions as the source of GitHub Pages" +
              (customDomain ? `, and enter ${customDomain} there.` : "."),
          },
    ],
    nextSteps: [{ action: "Check what is still missing", toolRequired: "verify_deployment" }],
  };
}

const present = ({ data, ...advice }: z.output<typeof deploymentOutput>) =>
  renderResult(renderWriteResult(data), advice);

const deployPages = operation({
  name: "deploy_pages",
  title: "Publish on GitHub Pages",
  summary: "Write the workflow that builds the documentation and publishes it on GitHub Pages.",
  input: z.object(deploymentInput),
  output: deploymentOutput,
  effect: "writes",
  expose: {
    mcp: true,
    http: "POST /repository/deploy-pages",
    cli: "repository deploy-pages <repository>",
  },
  example: { repository: ".", ssg: "mkdocs" },
  run: withEnvelope((input, state: RepositoryState, call) =>
    writeDeployment({ ...input, target: "github-pages" }, state, call, "deploy_pages"),
  ),
  present,
});

const deploySite = operation({
  name: "deploy_site",
  title: "Publish the documentation",
  summary:
    "Write the workflow that builds the documentation and publishes it on GitHub Pages or Vercel.",
  input: z.object({
    ...deploymentInput,
    target: z
      .enum(deployTargets)
      .default("github-pages")
      .meta({ help: "Where the site is served" }),
  }),
  output: deploymentOutput,
  effect: "writes",
  expose: {
    mcp: true,
    http: "POST /repository/deploy-site",
    cli: "repository deploy-site <repository>",
  },
  example: { repository: ".", ssg: "docusaurus", target: "vercel" },
  run: withEnvelope((input, state: RepositoryState, call) =>
    writeDeployment(input, state, call, "deploy_site"),
  ),
  present,
});

const checkOutput = z.object({
  check: z.string(),
  status: z.enum(["pass", "fail", "warning"]),
  message: z.string(),
  recommendation: z.string().optional(),
});

const statusMarks = { pass: "ok  ", warning: "warn", fail: "FAIL" };

const verifyDeployment = operation({
  name: "verify_deployment",
  title: "Check readiness to publish",
  summary:
    "Whether generator, pages, dependencies and workflow exist. Checks files only and visits no address.",
  input: z.object({
    repository: repositoryInput,
    url: z.string().optional().describe("Address of the published site"),
  }),
  output: envelope(
    z.object({
      repository: z.string(),
      url: z.string().optional(),
      overallStatus: z.enum(overallStatuses),
      checks: z.array(checkOutput),
      summary: z.object({ passed: z.int(), warnings: z.int(), failed: z.int(), total: z.int() }),
    }),
  ),
  effect: "reads",
  expose: {
    mcp: true,
    http: "POST /repository/verify-deployment",
    cli: "repository verify-deployment <repository>",
  },
  example: { repository: "." },
  run: withEnvelope(({ repository, url }, { boundary }) => {
    const checks = checkDeployment(boundary, resolveRepository(boundary, repository), url);
    const count = (expected: string) => checks.filter(({ status }) => status === expected).length;
    return {
      data: {
        repository,
        ...(url !== undefined && { url }),
        overallStatus: overallStatus(checks),
        checks,
        summary: {
          passed: count("pass"),
          warnings: count("warning"),
          failed: count("fail"),
          total: checks.length,
        },
      },
    };
  }),
  hasFailed: ({ data }) => data.summary.failed > 0,
  present({ data: { overallStatus: status, checks } }) {
    const lines = checks.map(({ check, status: mark, message, recommendation }) =>
      [`${statusMarks[mark]}  ${check}: ${message}.`, recommendation && `${recommendation}.`]
        .filter(Boolean)
        .join(" "),
    );
    return renderResult([status, ...lines].join("\n"), {});
  },
});

export const deployOperations = [deployPages, deploySite, verifyDeployment];
