import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { repositoryLibrary } from "../../../../tests/fixtures/repository/repository-library.ts";
import { siteGenerators, ssgNames } from "./site-generators.ts";

interface Workflow {
  on: { push: { branches: string[] }; workflow_dispatch: null };
  permissions: Record<string, string>;
  jobs: Record<string, { permissions?: Record<string, string>; steps: Step[] }>;
}

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, string>;
  "working-directory"?: string;
}

const workflowOf = (text: string): Workflow => parseYaml(text, { strict: true });
const pages = ".github/workflows/deploy-github-pages.yml";

for (const ssg of ssgNames) {
  test(`[repository.deploy.workflow] ${ssg}: pinned actions, least privileges, and the build output is published`, async () => {
    const { data, read } = repositoryLibrary({ ".git/HEAD": "ref: refs/heads/trunk\n" });
    const { workflowPath, filesCreated } = await data("deploy_pages", { repository: ".", ssg });
    const { on, permissions, jobs } = workflowOf(read(pages));
    const steps = Object.values(jobs).flatMap((job) => job.steps);

    expect({ workflowPath, filesCreated }).toEqual({ workflowPath: pages, filesCreated: [pages] });
    expect(on.push.branches).toEqual(["trunk"]);
    expect(permissions).toEqual({});
    expect(jobs.build?.permissions).toEqual({ contents: "read", pages: "read" });
    expect(jobs.deploy?.permissions).toEqual({ pages: "write", "id-token": "write" });
    for (const { uses } of steps.filter((step) => step.uses)) {
      expect(uses).toMatch(/@v\d+\.\d+\.\d+$/);
    }
    expect(steps.find(({ uses }) => uses?.includes("upload-pages"))?.with).toEqual({
      path: siteGenerators[ssg].output,
    });
    expect(steps.some(({ run }) => run?.includes(buildWords[ssg]))).toBe(true);
  });
}

const buildWords = {
  jekyll: "jekyll build",
  hugo: "hugo --minify",
  docusaurus: "npm run build",
  mkdocs: "mkdocs build",
  eleventy: "npm run build",
};

test("a lock file counts at any size", async () => {
  const { data, read } = repositoryLibrary({
    "docusaurus.config.js": "module.exports = {};\n",
    "package-lock.json": " ".repeat(2 * 1024 * 1024),
  });
  await data("deploy_pages", { repository: "." });

  expect(read(pages)).toContain("npm ci");
});

test("[repository.deploy.found] the generator, its folder and its lock file are detected", async () => {
  const { data, read } = repositoryLibrary({
    "website/docusaurus.config.js": "module.exports = {};\n",
    "website/pnpm-lock.yaml": "lockfileVersion: 9\n",
  });
  expect(await data("deploy_pages", { repository: "." })).toMatchObject({ ssg: "docusaurus" });
  const steps = workflowOf(read(pages)).jobs.build?.steps ?? [];

  expect(steps).toContainEqual({
    run: "corepack enable && pnpm install --frozen-lockfile",
    "working-directory": "website",
  });
  expect(steps).toContainEqual(expect.objectContaining({ with: { path: "website/build" } }));
});

test("[repository.deploy.domain] a custom domain is stored with the site", async () => {
  const { data, read } = repositoryLibrary();
  const input = { repository: ".", ssg: "mkdocs", customDomain: "https://Docs.Example.org/" };
  await data("deploy_pages", input);

  expect(read("CNAME")).toBe("docs.example.org\n");
  expect(workflowOf(read(pages)).jobs.build?.steps).toContainEqual({ run: "cp CNAME site/CNAME" });
});

test("[repository.deploy.vercel] for Vercel, settings and a read-only workflow are generated", async () => {
  const { data, read } = repositoryLibrary({ "mkdocs.yml": "site_name: Lamp\n" });
  const { filesCreated } = await data("deploy_site", { repository: ".", target: "vercel" });
  const { permissions } = workflowOf(read(".github/workflows/deploy-vercel.yml"));

  expect(filesCreated).toEqual([".github/workflows/deploy-vercel.yml", "vercel.json"]);
  expect(permissions).toEqual({ contents: "read" });
  expect(JSON.parse(read("vercel.json"))).toMatchObject({
    buildCommand: "mkdocs build",
    outputDirectory: "site",
  });
});

describe("[repository.deploy.refused] contradictory parameters are refused by name", () => {
  const refused: [input: object, words: string][] = [
    [{}, "No site generator was found"],
    [{ ssg: "hugo", branch: "gh-pages" }, "'branch'"],
    [{ ssg: "hugo", branch: 'main"]\n  x: ["' }, "'branch'"],
    [{ ssg: "hugo", customDomain: "docs.example.org\nrun: evil" }, "'customDomain'"],
    [{ ssg: "hugo", customDomain: "localhost" }, "'customDomain'"],
    [{ ssg: "hugo", projectPath: "../elsewhere" }, "'projectPath'"],
    [{ ssg: "hugo", projectPath: "a; rm -rf b" }, "'projectPath'"],
    [{ repository: "nowhere", ssg: "hugo" }, "Repository path does not exist"],
  ];
  for (const [input, words] of refused) {
    test(JSON.stringify(input), async () => {
      const { failure } = repositoryLibrary();
      const { message } = await failure("deploy_pages", { repository: ".", ...input });
      expect(message).toContain(words);
    });
  }
});

test("[repository.deploy.hostile-branch] a hostile branch name is not copied into the workflow", async () => {
  const { data, read } = repositoryLibrary({
    ".git/HEAD": `ref: refs/heads/x"]}\${{secrets.A}}\n`,
  });
  await data("deploy_pages", { repository: ".", ssg: "hugo" });

  expect(workflowOf(read(pages)).on.push.branches).toEqual(["main"]);
  expect(read(pages)).not.toContain("secrets");
});

describe("[repository.deploy.verified] readiness is checked against the existing files", () => {
  test("an empty repository needs everything", async () => {
    const { data } = repositoryLibrary();
    expect(await data("verify_deployment", { repository: "." })).toMatchObject({
      overallStatus: "Configuration required",
      summary: { failed: 2, total: 2 },
    });
  });

  test("the tools' output is ready, except for what a person must add to the ignore file", async () => {
    const { data, write } = repositoryLibrary();
    await data("generate_config", { ssg: "mkdocs", projectName: "Lamp", outputPath: "." });
    await data("setup_structure", { path: "docs", ssg: "mkdocs" });
    await data("deploy_pages", { repository: "." });
    const before = await data("verify_deployment", { repository: "." });
    write(".gitignore", "/site/\n");

    expect(before).toMatchObject({ overallStatus: "Minor issues detected" });
    expect(await data("verify_deployment", { repository: "." })).toMatchObject({
      overallStatus: "Ready for deployment",
    });
  });

  test("unpinned actions and broad permissions are reported", async () => {
    const { data } = repositoryLibrary({
      [pages]:
        "permissions: write-all\njobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n",
    });
    const { checks } = await data("verify_deployment", { repository: "." });

    expect(checks).toContainEqual(
      expect.objectContaining({
        check: "Pinned actions",
        status: "warning",
        message: expect.stringContaining("actions/checkout@v4"),
      }),
    );
    expect(checks).toContainEqual(
      expect.objectContaining({ check: "Permissions", status: "warning" }),
    );
  });

  test("a URL is compared with the domain, and not requested", async () => {
    const { data } = repositoryLibrary({ CNAME: "docs.example.org\n" });
    const about = async (url: string) => {
      const { checks } = await data("verify_deployment", { repository: ".", url });
      return checks.find(({ check }: { check: string }) => check === "Address");
    };

    expect(await about("https://docs.example.org/")).toMatchObject({ status: "warning" });
    expect(await about("https://other.example.org/")).toMatchObject({
      message: expect.stringContaining("CNAME has docs.example.org"),
    });
    expect(await about("javascript:alert(1)")).toMatchObject({ status: "fail" });
  });
});

describe("[repository.deploy.address] a URL is refused, and the message says what to pass instead", () => {
  for (const repository of ["https://example.org/lamp", "git@example.org:lamp/lamp.git"]) {
    for (const name of ["deploy_pages", "deploy_site", "verify_deployment"]) {
      test(`${name} ${repository}`, async () => {
        const { failure } = repositoryLibrary({ "mkdocs.yml": "site_name: Lamp\n" });
        const { kind, explanation } = await failure(name, { repository });

        expect(kind).toBe("invalid");
        expect(explanation).toContain("Clone it, and pass the folder of the clone");
      });
    }
  }
});
