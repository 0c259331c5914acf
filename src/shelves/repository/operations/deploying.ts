import * as z from "zod";
import type { Call } from "../../../kernel/call.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { planDeployment, type Target, targets } from "../deployment.ts";
import { answering, envelope, type Said, told } from "../envelope.ts";
import { generators, type Ssg, ssgInput } from "../generators.ts";
import { enterRepository } from "../repository-path.ts";
import type { RepositoryState } from "../state.ts";
import { overallStatus, overallStatuses, verify } from "../verification.ts";
import { refuseDetour, writeFiles, writingInput, writtenShape, writtenText } from "../writing.ts";

const operation = operationsOn<RepositoryState>();

const repositoryInput = z.string().min(1).describe("Path of the repository").meta({ path: true });

const deploymentInput = {
  repository: repositoryInput,
  ssg: ssgInput.optional().describe("Found by itself where configured"),
  branch: z.string().optional().describe("Published branch; the current by default"),
  customDomain: z.string().optional().describe("Such as docs.example.org"),
  projectPath: z.string().optional().describe("Folder of the site in the repository"),
  ...writingInput,
};

const Deployed = envelope(
  z.object({
    repository: z.string(),
    ssg: ssgInput,
    target: z.enum(targets),
    branch: z.string(),
    customDomain: z.string().optional(),
    workflowPath: z.string(),
    ...writtenShape,
  }),
);

interface Asked {
  repository: string;
  ssg?: Ssg | undefined;
  branch?: string | undefined;
  customDomain?: string | undefined;
  projectPath?: string | undefined;
  dry_run: boolean;
  overwrite: boolean;
}

function deploy(
  asked: Asked & { target: Target },
  state: RepositoryState,
  call: Call,
  name: string,
): Said<z.input<typeof Deployed>["data"]> {
  const { repository, target, dry_run, overwrite } = asked;
  const root = enterRepository(state.boundary, repository);
  refuseDetour(state.boundary, repository, root);
  const { deployment, found, files } = planDeployment(state.boundary, root, asked);
  const { ssg, branch, customDomain } = deployment;
  const place = target === "vercel" ? "Vercel" : "GitHub Pages";
  const summary = `Prepared publishing by ${generators[ssg].title} on ${place}`;
  const written = writeFiles(
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
      ...(found?.ssg === ssg
        ? []
        : [
            {
              type: "warning" as const,
              title: `${generators[ssg].title} is not configured here`,
              description: "The workflow fails until its configuration is there.",
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
              "In the repository's settings choose GitHub Actions as the source of its pages" +
              (customDomain ? `, and enter ${customDomain} there.` : "."),
          },
    ],
    nextSteps: [{ action: "See what is still missing", toolRequired: "verify_deployment" }],
  };
}

const present = ({ data, ...said }: z.output<typeof Deployed>) => told(writtenText(data), said);

const deployPages = operation({
  name: "deploy_pages",
  title: "Publish on GitHub Pages",
  summary: "Write the workflow that builds the documentation and publishes it on GitHub Pages.",
  input: z.object(deploymentInput),
  output: Deployed,
  effect: "writes",
  expose: {
    mcp: true,
    http: "POST /repository/deploy-pages",
    cli: "repository deploy-pages <repository>",
  },
  example: { repository: ".", ssg: "mkdocs" },
  run: answering((input, state: RepositoryState, call) =>
    deploy({ ...input, target: "github-pages" }, state, call, "deploy_pages"),
  ),
  present,
});

const deploySite = operation({
  name: "deploy_site",
  title: "Publish the documentation",
  summary: "Write the workflow that builds the documentation and publishes it where you say.",
  input: z.object({
    ...deploymentInput,
    target: z.enum(targets).default("github-pages").meta({ says: "Where the site is served" }),
  }),
  output: Deployed,
  effect: "writes",
  expose: {
    mcp: true,
    http: "POST /repository/deploy-site",
    cli: "repository deploy-site <repository>",
  },
  example: { repository: ".", ssg: "docusaurus", target: "vercel" },
  run: answering((input, state: RepositoryState, call) =>
    deploy(input, state, call, "deploy_site"),
  ),
  present,
});

const CheckShown = z.object({
  check: z.string(),
  status: z.enum(["pass", "fail", "warning"]),
  message: z.string(),
  recommendation: z.string().optional(),
});

const marks = { pass: "ok  ", warning: "warn", fail: "FAIL" };

const verifyDeployment = operation({
  name: "verify_deployment",
  title: "Check readiness to publish",
  summary:
    "Whether generator, pages, dependencies and workflow are there. Looks at files alone and visits no address.",
  input: z.object({
    repository: repositoryInput,
    url: z.string().optional().describe("Where the site will be"),
  }),
  output: envelope(
    z.object({
      repository: z.string(),
      url: z.string().optional(),
      overallStatus: z.enum(overallStatuses),
      checks: z.array(CheckShown),
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
  run: answering(({ repository, url }, { boundary }) => {
    const checks = verify(boundary, enterRepository(boundary, repository), url);
    const count = (wanted: string) => checks.filter(({ status }) => status === wanted).length;
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
      [`${marks[mark]}  ${check}: ${message}.`, recommendation && `${recommendation}.`]
        .filter(Boolean)
        .join(" "),
    );
    return told([status, ...lines].join("\n"), {});
  },
});

export const deployOperations = [deployPages, deploySite, verifyDeployment];
