import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { repositoryLibrary } from "../../../tests/fixtures/repository-library.ts";
import { generators, ssgNames } from "./generators.ts";

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
  test(`[repository.deploy.workflow] ${ssg}: pinned actions, least permissions, and what is built is published`, async () => {
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
      path: generators[ssg].output,
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

test("a lock file counts however long it is", async () => {
  const { data, read } = repositoryLibrary({
    "docusaurus.config.js": "module.exports = {};\n",
    "package-lock.json": " ".repeat(2 * 1024 * 1024),
  });
  await data("deploy_pages", { repository: "." });

  expect(read(pages)).toContain("npm ci");
});

test("[repository.deploy.found] the generator, its folder and its lock file are found", async () => {
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

test("[repository.deploy.domain] a domain of one's own is kept with the site", async () => {
  const { data, read } = repositoryLibrary();
  const input = { repository: ".", ssg: "mkdocs", customDomain: "https://Docs.Example.org/" };
  await data("deploy_pages", input);

  expect(read("CNAME")).toBe("docs.example.org\n");
  expect(workflowOf(read(pages)).jobs.build?.steps).toContainEqual({ run: "cp CNAME site/CNAME" });
});

test("[repository.deploy.vercel] for Vercel there are its settings and a workflow that may only read", async () => {
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

describe("[repository.deploy.refused] what cannot be meant is refused by the name of its parameter", () => {
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

test("[repository.deploy.hostile-branch] a branch with a hostile name is not carried into the workflow", async () => {
  const { data, read } = repositoryLibrary({
    ".git/HEAD": `ref: refs/heads/x"]}\${{secrets.A}}\n`,
  });
  await data("deploy_pages", { repository: ".", ssg: "hugo" });

  expect(workflowOf(read(pages)).on.push.branches).toEqual(["main"]);
  expect(read(pages)).not.toContain("secrets");
});

describe("[repository.deploy.verified] readiness is judged by the files that are there", () => {
  test("an empty repository needs everything", async () => {
    const { data } = repositoryLibrary();
    expect(await data("verify_deployment", { repository: "." })).toMatchObject({
      overallStatus: "Configuration required",
      summary: { failed: 2, total: 2 },
    });
  });

  test("what the tools wrote is ready, but for what a person must ignore", async () => {
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

  test("loose actions and broad permissions are told", async () => {
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

  test("an address is compared with the domain, and not visited", async () => {
    const { data } = repositoryLibrary({ CNAME: "docs.example.org\n" });
    const about = async (url: string) => {
      const { checks } = await data("verify_deployment", { repository: ".", url });
      return checks.find(({ check }: { check: string }) => check === "Address");
    };

    expect(await about("https://docs.example.org/")).toMatchObject({ status: "warning" });
    expect(await about("https://other.example.org/")).toMatchObject({
      message: expect.stringContaining("CNAME names docs.example.org"),
    });
    expect(await about("javascript:alert(1)")).toMatchObject({ status: "fail" });
  });
});

describe("[repository.deploy.address] an address is refused with what to do instead", () => {
  for (const repository of ["https://example.org/lamp", "git@example.org:lamp/lamp.git"]) {
    for (const name of ["deploy_pages", "deploy_site", "verify_deployment"]) {
      test(`${name} ${repository}`, async () => {
        const { failure } = repositoryLibrary({ "mkdocs.yml": "site_name: Lamp\n" });
        const { kind, explanation } = await failure(name, { repository });

        expect(kind).toBe("invalid");
        expect(explanation).toContain("clone it, and give the folder of the clone");
      });
    }
  }
});
