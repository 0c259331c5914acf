import { describe, expect, test } from "vitest";
import {
  analysed,
  knownFacts,
  knownRepositories,
  madeRepository,
  materialised,
} from "../../../../tests/fixtures/repository/made-repository.ts";
import type { RepositoryFacts } from "./facts.ts";

const factsOf = async (files: Record<string, string>): Promise<RepositoryFacts> =>
  (await analysed(madeRepository(files))).facts;

/** Notes beside the facts; they describe test paths in prose. */
const notes = ["repository", "commit", "traps", "test_paths"];

const tested = knownRepositories.length > 0 ? "../shared/data/repos" : "not there, only our own";

describe(`[repository.analysis.known] real repositories (${tested})`, () => {
  test("made-up repositories are used if there are no real ones", async () => {
    const facts = await factsOf({ "package.json": '{"name":"a"}', "a.ts": "x", LICENSE: mit });

    expect(facts).toMatchObject({ primary_language: "TypeScript", license: "MIT", files: 3 });
  });

  for (const name of knownRepositories) {
    test(name, async () => {
      const known = Object.entries(knownFacts(name)).filter(([key]) => !notes.includes(key));
      const root = materialised(name);

      for (const depth of ["quick", "standard"] as const) {
        const { facts } = await analysed(root, depth);
        expect(facts).toMatchObject(Object.fromEntries(known));
      }
    });
  }
});

const mit = "Permission is hereby granted, free of charge, to any person obtaining a copy";

describe("[repository.analysis.ecosystems] package managers are detected from manifests and lock files", () => {
  const cases: [string, Record<string, string>, string[], string[]][] = [
    ["npm", { "package.json": "{}", "package-lock.json": "{}" }, ["npm"], ["package-lock.json"]],
    ["npm without a lock", { "package.json": "{}" }, ["npm"], []],
    ["pnpm", { "package.json": "{}", "pnpm-lock.yaml": "" }, ["pnpm"], ["pnpm-lock.yaml"]],
    ["pnpm by its name", { "package.json": '{"packageManager":"pnpm@9.1.0"}' }, ["pnpm"], []],
    ["yarn", { "package.json": "{}", "yarn.lock": "" }, ["yarn"], ["yarn.lock"]],
    ["bun", { "package.json": "{}", "bun.lock": "" }, ["bun"], ["bun.lock"]],
    ["deno", { "deno.json": "{}", "deno.lock": "{}" }, ["deno"], ["deno.lock"]],
    ["pip", { "requirements.txt": "flask\n" }, ["pip"], []],
    ["pip by a folder", { "requirements/base.txt": "Django==5\n", "manage.py": "" }, ["pip"], []],
    ["setuptools", { "setup.py": "setup(name='a')" }, ["pip"], []],
    ["uv", { "pyproject.toml": "", "uv.lock": "" }, ["uv"], ["uv.lock"]],
    ["poetry", { "pyproject.toml": '[tool.poetry]\nname = "a"\n' }, ["poetry"], []],
    ["pdm", { "pyproject.toml": "", "pdm.lock": "" }, ["pdm"], ["pdm.lock"]],
    ["pipenv", { Pipfile: "", "Pipfile.lock": "{}" }, ["pipenv"], ["Pipfile.lock"]],
    ["go", { "go.mod": "module a", "go.sum": "" }, ["go modules"], ["go.sum"]],
    ["cargo", { "Cargo.toml": "", "Cargo.lock": "" }, ["cargo"], ["Cargo.lock"]],
    ["maven", { "pom.xml": "<project/>" }, ["maven"], []],
    ["gradle", { "build.gradle.kts": "", "gradle.lockfile": "" }, ["gradle"], ["gradle.lockfile"]],
    ["nuget", { "src/Lamp.csproj": "<Project/>" }, ["nuget"], []],
    ["composer", { "composer.json": "{}", "composer.lock": "{}" }, ["composer"], ["composer.lock"]],
    [
      "bundler",
      { Gemfile: "", "a.gemspec": "", "Gemfile.lock": "" },
      ["bundler"],
      ["Gemfile.lock"],
    ],
    ["mix", { "mix.exs": "", "mix.lock": "" }, ["mix"], ["mix.lock"]],
    ["pub", { "pubspec.yaml": "name: a", "pubspec.lock": "" }, ["pub"], ["pubspec.lock"]],
    ["swiftpm", { "Package.swift": "", "Package.resolved": "" }, ["swiftpm"], ["Package.resolved"]],
    ["conan", { "conanfile.txt": "", "CMakeLists.txt": "" }, ["conan"], []],
    ["two at once", { "Cargo.toml": "", "package.json": "{}" }, ["cargo", "npm"], []],
    ["samples' own", { "examples/a/package.json": "{}", "go.mod": "module a" }, ["go modules"], []],
  ];
  for (const [name, files, managers, locks] of cases) {
    test(name, async () => {
      const { package_managers, lockfiles } = await factsOf(files);

      expect({ package_managers, lockfiles }).toEqual({
        package_managers: managers,
        lockfiles: locks,
      });
    });
  }

  test("cmake and make are build systems, not package managers", async () => {
    const facts = await factsOf({ "CMakeLists.txt": "project(lamp)", Makefile: "", "lamp.c": "" });

    expect(facts).toMatchObject({ package_managers: [], build_systems: ["cmake", "make"] });
  });
});

describe("[repository.analysis.workspaces] workspace packages", () => {
  const npm = (name: string): string => JSON.stringify({ name, version: "1.0.0" });
  const crate = (name: string): string => `[package]\nname = "${name}"\nversion = "1.0.0"\n`;
  const cases: [string, Record<string, string>, string[], string[]][] = [
    [
      "npm workspaces",
      {
        "package.json": '{"private":true,"workspaces":["packages/*"]}',
        "packages/a/package.json": npm("a"),
        "packages/b/package.json": npm("b"),
        "packages/b/node_modules/c/package.json": npm("c"),
      },
      ["npm workspaces"],
      ["packages/a", "packages/b"],
    ],
    [
      "pnpm and turbo",
      {
        "package.json": '{"private":true}',
        "turbo.json": "{}",
        "pnpm-workspace.yaml": "packages:\n  - 'apps/*'\n  - \"libs/**\"\n  - '!libs/old'\n",
        "apps/web/package.json": npm("web"),
        "libs/deep/ui/package.json": npm("ui"),
        "libs/old/package.json": npm("old"),
      },
      ["pnpm workspaces", "turbo"],
      ["apps/web", "libs/deep/ui"],
    ],
    [
      "lerna alone",
      {
        "package.json": '{"private":true}',
        "lerna.json": '{"packages":["modules/*"]}',
        "modules/a/package.json": npm("a"),
        "modules/b/package.json": npm("b"),
      },
      ["lerna"],
      ["modules/a", "modules/b"],
    ],
    [
      "nx without a list",
      {
        "package.json": '{"private":true}',
        "nx.json": "{}",
        "apps/a/project.json": "{}",
        "apps/a/package.json": npm("a"),
        "libs/b/package.json": npm("b"),
      },
      ["nx"],
      ["apps/a", "libs/b"],
    ],
    [
      "nx, whose projects have no packages of their own",
      {
        "package.json": '{"private":true,"dependencies":{"@angular/core":"19"}}',
        "nx.json": "{}",
        "apps/shop/project.json": "{}",
        "apps/shop-e2e/project.json": "{}",
        "libs/ui/project.json": "{}",
      },
      ["nx"],
      ["apps/shop", "libs/ui"],
    ],
    [
      "deno, with comments and commas at the end",
      {
        "deno.jsonc": '{\n  "workspace": ["./a", "./b"], // "ours"\n  "name": "http://x",\n}',
        "a/deno.json": "{}",
        "b/deno.json": "{}",
      },
      ["deno workspaces"],
      ["a", "b"],
    ],
    [
      "rush, with comments",
      {
        "rush.json":
          '// Ours\n{"projects":[{"packageName":"a","projectFolder":"apps/a"},{"packageName":"b","projectFolder":"libs/b"}]}',
        "apps/a/package.json": npm("a"),
        "libs/b/package.json": npm("b"),
      },
      ["rush"],
      ["apps/a", "libs/b"],
    ],
    [
      "cargo, with the root as a package",
      {
        "Cargo.toml": `${crate("root")}[workspace]\nmembers = ["crates/*"]\nexclude = ["crates/old"]\n`,
        "crates/core/Cargo.toml": crate("core"),
        "crates/old/Cargo.toml": crate("old"),
      },
      ["cargo workspaces"],
      ["crates/core"],
    ],
    [
      "go.work",
      {
        "go.work": "go 1.22\n\nuse (\n\t./api\n\t./cli // the command\n)\n",
        "api/go.mod": "module a/api",
        "cli/go.mod": "module a/cli",
      },
      ["go workspaces"],
      ["api", "cli"],
    ],
    [
      "uv",
      {
        "pyproject.toml":
          '[project]\nname = "root"\n[tool.uv.workspace]\nmembers = ["packages/*"]\n',
        "packages/a/pyproject.toml": '[project]\nname = "a"\n',
        "packages/b/pyproject.toml": '[project]\nname = "b"\n',
      },
      ["uv workspaces"],
      ["packages/a", "packages/b"],
    ],
    [
      "maven, modules within modules",
      {
        "pom.xml":
          "<project><modules><module>core</module><module>web</module></modules></project>",
        "core/pom.xml": "<project><modules><module>api</module></modules></project>",
        "core/api/pom.xml": "<project/>",
        "web/pom.xml": "<project/>",
      },
      ["maven modules"],
      ["core", "core/api", "web"],
    ],
    [
      "gradle",
      {
        "settings.gradle.kts":
          'rootProject.name = "lamp"\ninclude(\n  ":app",\n  ":libs:core"\n)\n',
        "app/build.gradle.kts": "",
        "libs/core/build.gradle.kts": "",
      },
      ["gradle modules"],
      ["app", "libs/core"],
    ],
    [
      "a solution, whose tests are no second product",
      {
        "Lamp.sln":
          'Project("{X}") = "Lamp", "src\\Lamp\\Lamp.csproj", "{1}"\nProject("{X}") = "Core", "src\\Core\\Core.csproj", "{2}"\nProject("{X}") = "T", "tests\\Lamp.Tests\\Lamp.Tests.csproj", "{3}"\n',
        "src/Lamp/Lamp.csproj": "<Project/>",
        "src/Core/Core.csproj": "<Project/>",
        "tests/Lamp.Tests/Lamp.Tests.csproj": "<Project/>",
      },
      ["dotnet solution"],
      ["src/Core", "src/Lamp"],
    ],
    [
      "an umbrella",
      {
        "mix.exs": 'def project do\n  [apps_path: "apps"]\nend',
        "apps/a/mix.exs": "",
        "apps/b/mix.exs": "",
      },
      ["mix umbrella"],
      ["apps/a", "apps/b"],
    ],
    [
      "melos",
      {
        "pubspec.yaml": "name: root\npublish_to: none\n",
        "melos.yaml": "name: root\npackages:\n  - packages/**\n",
        "packages/a/pubspec.yaml": "name: a",
        "packages/b/pubspec.yaml": "name: b",
      },
      ["melos"],
      ["packages/a", "packages/b"],
    ],
    [
      "packages side by side, with a root for tools",
      {
        "package.json": '{"private":true,"devDependencies":{"prettier":"3"}}',
        "libs/core/pyproject.toml": '[project]\nname = "core"\n',
        "libs/more/pyproject.toml": '[project]\nname = "more"\n',
      },
      [],
      ["libs/core", "libs/more"],
    ],
    [
      "packages side by side under a root that is none",
      {
        Makefile: "",
        "services/cart/go.mod": "module cart",
        "services/mail/package.json": npm("mail"),
      },
      [],
      ["services/cart", "services/mail"],
    ],
  ];
  for (const [name, files, tools, packages] of cases) {
    test(name, async () => {
      const { monorepo, workspace_tool, ...found } = await factsOf(files);

      expect({ monorepo, workspace_tool, packages: found.packages }).toEqual({
        monorepo: true,
        workspace_tool: tools,
        packages,
      });
    });
  }

  const single: [string, Record<string, string>][] = [
    [
      "samples beside a package",
      { "pyproject.toml": '[project]\nname = "a"', "examples/b/pyproject.toml": "" },
    ],
    [
      "a workspace of one",
      { "Cargo.toml": '[workspace]\nmembers = ["tools"]', "tools/Cargo.toml": crate("t") },
    ],
    [
      "a site beside the package",
      { "package.json": '{"name":"a","workspaces":["website"]}', "website/package.json": npm("w") },
    ],
    [
      "a product and its tests",
      {
        "L.sln":
          'Project("{X}") = "L", "L\\L.csproj", "{1}"\nProject("{X}") = "T", "L.Tests\\T.csproj", "{2}"',
        "L/L.csproj": "",
        "L.Tests/T.csproj": "",
      },
    ],
    ["a module for tools", { "go.mod": "module a", "tools/go.mod": "module a/tools" }],
  ];
  for (const [name, files] of single) {
    test(`${name} is one project`, async () => {
      expect(await factsOf(files)).toMatchObject({
        monorepo: false,
        workspace_tool: [],
        packages: [],
      });
    });
  }
});

test("[repository.analysis.licenses] files beside the license that are not further licenses", async () => {
  const apache = "Apache License\nVersion 2.0, January 2004";
  const other = {
    "LICENSE.fonts": apache,
    "THIRD-PARTY-LICENSES.md": apache,
    "license.go": apache,
  };

  expect(await factsOf({ LICENSE: mit, ...other })).toMatchObject({
    license: "MIT",
    has_license_file: true,
  });
  expect(await factsOf({ ...other })).toMatchObject({ license: null, has_license_file: true });
  expect(await factsOf({ "license.go": apache })).toMatchObject({ has_license_file: false });
  expect(await factsOf({ "LICENSE-MIT": mit, "LICENSE-APACHE": apache })).toMatchObject({
    license: "MIT OR Apache-2.0",
  });
});

describe("[repository.analysis.tests] tests are detected by convention", () => {
  const cases: [string, Record<string, string>, string[], string[]][] = [
    [
      "vitest beside the code",
      { "package.json": '{"devDependencies":{"vitest":"1"}}', "src/a.test.ts": "" },
      ["*.test.ts beside the sources"],
      ["vitest"],
    ],
    [
      "Node's own",
      { "package.json": '{"scripts":{"test":"node --import tsx --test"}}', "test/a.js": "" },
      ["test/"],
      ["node:test"],
    ],
    ["unittest", { "tests/test_a.py": "", "setup.py": "" }, ["tests/"], ["unittest"]],
    [
      "pytest by its settings",
      { "setup.cfg": "[tool:pytest]\n", "tests/test_a.py": "" },
      ["tests/"],
      ["pytest"],
    ],
    [
      "go",
      { "go.mod": "module a", "a_test.go": "" },
      ["*_test.go beside the sources"],
      ["go test"],
    ],
    ["rust", { "Cargo.toml": "", "tests/a.rs": "" }, ["tests/"], ["cargo test"]],
    [
      "junit",
      {
        "pom.xml":
          "<project><dependencies><dependency><artifactId>junit-jupiter</artifactId><scope>test</scope></dependency></dependencies></project>",
        "src/test/java/ATest.java": "",
      },
      ["src/test/"],
      ["junit"],
    ],
    [
      "rspec",
      { Gemfile: 'group :test do\n  gem "rspec"\nend', "spec/a_spec.rb": "" },
      ["spec/"],
      ["rspec"],
    ],
    ["phpunit", { "phpunit.xml.dist": "", "tests/ATest.php": "" }, ["tests/"], ["phpunit"]],
    [
      "xunit",
      {
        "A.Tests/A.Tests.csproj": '<Project><PackageReference Include="xunit" /></Project>',
        "A.Tests/ATests.cs": "",
      },
      ["A.Tests/"],
      ["xunit"],
    ],
    [
      "mstest by its SDK",
      { "A.Tests/A.Tests.csproj": '<Project Sdk="MSTest.Sdk/3.6.1"/>', "A.Tests/ATests.cs": "" },
      ["A.Tests/"],
      ["mstest"],
    ],
    [
      "deno's own, beside the code",
      { "deno.json": "{}", "tar/mod_test.ts": "" },
      ["*_test.ts beside the sources"],
      ["deno test"],
    ],
    [
      "junit by a catalogue of versions",
      {
        "build.gradle.kts": "dependencies {\n  testImplementation(libs.junit)\n}\n",
        "src/test/kotlin/ATest.kt": "",
      },
      ["src/test/"],
      ["junit"],
    ],
    ["exunit", { "mix.exs": "", "test/a_test.exs": "" }, ["test/"], ["exunit"]],
    [
      "flutter",
      {
        "pubspec.yaml": "name: a\ndev_dependencies:\n  flutter_test:\n    sdk: flutter\n",
        "test/a_test.dart": "",
      },
      ["test/"],
      ["flutter test"],
    ],
    [
      "xctest",
      { "Package.swift": "", "Tests/LampTests/LampTests.swift": "" },
      ["Tests/"],
      ["xctest"],
    ],
    [
      "ctest",
      { "CMakeLists.txt": "enable_testing()\n", "test/lamp_test.cpp": "" },
      ["test/"],
      ["ctest"],
    ],
  ];
  for (const [name, files, paths, frameworks] of cases) {
    test(name, async () => {
      const facts = await factsOf(files);

      expect(facts).toMatchObject({ has_tests: true, test_paths: paths });
      expect(facts.test_frameworks).toEqual(frameworks);
    });
  }

  const none = [
    "src/latest.ts",
    "src/inspector.js",
    "contest/a.py",
    "spec/openapi.yaml",
    "specs/1-lamp.md",
    "examples/a/test/a.js",
    "vendor/x/a_test.go",
    "src/testimonials/a.tsx",
    "testdata/a.go",
    "src/attest.rb",
  ];
  for (const path of none) {
    test(`${path} is not a test`, async () => {
      expect(await factsOf({ [path]: "x" })).toMatchObject({ has_tests: false, test_paths: [] });
    });
  }
});

describe("[repository.analysis.ci] CI, containers and top-level files", () => {
  const systems: [string, string][] = [
    [".github/workflows/main.yml", "github-actions"],
    [".gitlab-ci.yml", "gitlab-ci"],
    [".circleci/config.yml", "circleci"],
    [".travis.yml", "travis-ci"],
    ["azure-pipelines.yml", "azure-pipelines"],
    ["Jenkinsfile", "jenkins"],
    [".drone.yml", "drone"],
    ["appveyor.yml", "appveyor"],
    ["bitbucket-pipelines.yml", "bitbucket-pipelines"],
    [".buildkite/pipeline.yml", "buildkite"],
    [".cirrus.yml", "cirrus-ci"],
    [".woodpecker/test.yaml", "woodpecker"],
    [".forgejo/workflows/ci.yaml", "forgejo-actions"],
  ];
  for (const [path, name] of systems) {
    test(name, async () => {
      expect(await factsOf({ [path]: "" })).toMatchObject({ has_ci: true, ci: [name] });
    });
  }

  const none = [
    "docs/ci.yml",
    "src/precise.yml",
    ".github/dependabot.yml",
    "examples/a/.travis.yml",
    "circle/config.yml",
  ];
  for (const path of none) {
    test(`${path} is none`, async () => {
      expect(await factsOf({ [path]: "" })).toMatchObject({ has_ci: false, ci: [] });
    });
  }

  test("containers count only if they are the project's own", async () => {
    expect((await factsOf({ "docker/Dockerfile": "" })).has_docker).toBe(true);
    expect((await factsOf({ "compose.yaml": "" })).has_docker).toBe(true);
    expect((await factsOf({ ".devcontainer/Dockerfile": "" })).has_docker).toBe(false);
    expect(
      (await factsOf({ "examples/a/Dockerfile": "", "docs/dockerfile.md": "" })).has_docker,
    ).toBe(false);
  });

  test("READMEs and contributing guides, case-insensitive", async () => {
    expect(await factsOf({ README: "", ".github/CONTRIBUTING.md": "" })).toMatchObject({
      has_readme: true,
      has_contributing: true,
    });
    expect(await factsOf({ "readme.rst": "", "docs/contributing.md": "" })).toMatchObject({
      has_readme: true,
      has_contributing: false,
    });
    expect(await factsOf({ "src/readme.md": "", "readme.ts": "" })).toMatchObject({
      has_readme: false,
    });
  });
});

describe("[repository.analysis.docs] documentation folders and generators", () => {
  const cases: [string, Record<string, string>, string | null, string[]][] = [
    [
      "mkdocs with a folder of its own",
      { "mkdocs.yml": "site_name: a\ndocs_dir: manual/en\n", "manual/en/index.md": "" },
      "mkdocs",
      ["manual/en/"],
    ],
    [
      "sphinx in docs/source",
      { "docs/source/conf.py": "", "docs/source/index.rst": "" },
      "sphinx",
      ["docs/"],
    ],
    ["mdbook", { "book.toml": "", "src/SUMMARY.md": "" }, "mdbook", ["src/"]],
    [
      "docusaurus in website",
      { "website/docusaurus.config.ts": "", "website/docs/a.md": "" },
      "docusaurus",
      ["website/docs/"],
    ],
    ["vitepress", { "docs/.vitepress/config.ts": "", "docs/index.md": "" }, "vitepress", ["docs/"]],
    [
      "hugo by its older name",
      { "config.toml": "", "archetypes/default.md": "", "content/a.md": "" },
      "hugo",
      ["content/"],
    ],
    ["jekyll in docs", { "docs/_config.yml": "", "docs/index.md": "" }, "jekyll", ["docs/"]],
    [
      "antora",
      { "docs/antora.yml": "", "docs/modules/ROOT/pages/a.adoc": "" },
      "antora",
      ["docs/"],
    ],
    [
      "starlight",
      {
        "docs/package.json": '{"dependencies":{"@astrojs/starlight":"1"}}',
        "docs/src/content/docs/a.md": "",
      },
      "starlight",
      ["docs/"],
    ],
    ["a folder and nothing else", { "docs/a.md": "" }, null, ["docs/"]],
    [
      "a package that is called doc",
      { "doc/man.go": "", "doc/doc.go": "", "go.mod": "module a" },
      null,
      [],
    ],
    ["pictures", { "docs/a.png": "" }, null, []],
    ["a folder of a sample", { "examples/a/docs/a.md": "", "examples/a/mkdocs.yml": "" }, null, []],
  ];
  for (const [name, files, system, paths] of cases) {
    test(name, async () => {
      const { docs_system, docs_paths, has_docs_dir } = await factsOf(files);

      expect({ docs_system, docs_paths }).toEqual({ docs_system: system, docs_paths: paths });
      expect(has_docs_dir).toBe(docs_paths.length > 0);
    });
  }

  test("in a repository of pages, the folder with most of them", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`files/en/${index}/index.md`, "# A\n".repeat(300)]),
    );

    expect(await factsOf({ ...pages, "scripts/a.js": "x", "README.md": "" })).toMatchObject({
      kind: "docs-heavy",
      docs_paths: ["files/"],
      primary_language: "JavaScript",
      main_content: "Markdown",
    });
  });
});

describe("[repository.analysis.frameworks] only runtime dependencies count as frameworks", () => {
  const cases: [string, Record<string, string>, string[]][] = [
    [
      "a dependency",
      { "package.json": '{"dependencies":{"express":"5","left-pad":"1"}}' },
      ["express"],
    ],
    ["only for tests", { "package.json": '{"devDependencies":{"express":"5","react":"19"}}' }, []],
    ["brought by the user", { "package.json": '{"peerDependencies":{"react":"19"}}' }, ["react"]],
    [
      "brought by the user who wants it",
      {
        "package.json":
          '{"peerDependencies":{"vue":"3"},"peerDependenciesMeta":{"vue":{"optional":true}}}',
      },
      [],
    ],
    [
      "set up, though only for the build",
      {
        "package.json": '{"devDependencies":{"@sveltejs/kit":"2","svelte":"5"}}',
        "svelte.config.js": "",
      },
      ["svelte", "sveltekit"],
    ],
    [
      "the framework itself",
      {
        "package.json": '{"workspaces":["packages/*"]}',
        "packages/vue/package.json": '{"name":"vue"}',
        "packages/router/package.json": '{"name":"router","peerDependencies":{"vue":"3"}}',
      },
      [],
    ],
    [
      "a site about the project",
      {
        "package.json": '{"name":"a","workspaces":["lib","docs"]}',
        "lib/package.json": '{"name":"lib"}',
        "docs/package.json": '{"dependencies":{"next":"15"}}',
      },
      [],
    ],
    [
      "samples that a workspace holds",
      {
        "package.json": '{"private":true,"workspaces":["packages/*","examples/*"]}',
        "packages/a/package.json": '{"name":"a"}',
        "examples/b/package.json": '{"name":"b","dependencies":{"react":"19"}}',
      },
      [],
    ],
    [
      "django",
      { "pyproject.toml": '[project]\nname = "a"\ndependencies = ["Django>=5,<6", "requests"]\n' },
      ["django"],
    ],
    [
      "spring",
      {
        "pom.xml":
          "<project><parent><artifactId>spring-boot-starter-parent</artifactId></parent></project>",
      },
      ["spring boot"],
    ],
    [
      "android by a catalogue of versions",
      { "build.gradle.kts": "plugins {\n  alias(libs.plugins.android.application)\n}\n" },
      ["android"],
    ],
    ["rails", { Gemfile: 'gem "rails", "~> 8.0"\n' }, ["rails"]],
    [
      "laravel",
      { "composer.json": '{"require":{"php":"^8","laravel/framework":"^11"}}' },
      ["laravel"],
    ],
    ["gin", { "go.mod": "module a\n\nrequire github.com/gin-gonic/gin v1.10.0\n" }, ["gin"]],
    [
      "gin, by somebody else's wish",
      { "go.mod": "module a\n\nrequire (\n\tgithub.com/gin-gonic/gin v1.10.0 // indirect\n)\n" },
      [],
    ],
    [
      "axum",
      { "Cargo.toml": '[package]\nname = "a"\n[dependencies]\naxum = { version = "0.8" }\n' },
      ["axum"],
    ],
    [
      "phoenix",
      { "mix.exs": 'defp deps do\n  [\n    {:phoenix, "~> 1.7"}\n  ]\nend' },
      ["phoenix"],
    ],
    [
      "asp.net",
      { "A.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web"></Project>' },
      ["asp.net core"],
    ],
    [
      "flutter",
      { "pubspec.yaml": "name: a\ndependencies:\n  flutter:\n    sdk: flutter\n" },
      ["flutter"],
    ],
    [
      "vapor",
      { "Package.swift": '.package(url: "https://github.com/vapor/vapor.git", from: "4.0.0"),' },
      ["vapor"],
    ],
  ];
  for (const [name, files, frameworks] of cases) {
    test(name, async () => {
      expect((await factsOf(files)).frameworks).toEqual(frameworks);
    });
  }
});

describe("[repository.analysis.ignored] what belongs to the repository", () => {
  test("files ignored, installed or used internally by git are not counted", async () => {
    const facts = await factsOf({
      ".gitignore": "out/\n*.log\n!keep.log\n",
      ".git/config": "",
      "a.log": "",
      "keep.log": "",
      "out/a.js": "x",
      "node_modules/a/index.js": "x",
      "deep/.gitignore": "secret.md\n",
      "deep/secret.md": "x",
      "deep/open.md": "x",
      ".hidden/a.md": "x",
    });

    expect(facts.files).toBe(5);
    expect(facts.bytes_by_language).toEqual({ Markdown: 2 });
  });

  test("a nested repository does not belong to the outer one", async () => {
    const facts = await factsOf({
      "a.md": "x",
      "lib/other/.git": "gitdir: x",
      "lib/other/b.md": "x",
    });

    expect(facts).toMatchObject({ files: 1, submodules: 1 });
  });
});

test("an empty folder is empty", async () => {
  expect(await factsOf({})).toMatchObject({
    kind: "empty",
    files: 0,
    primary_language: null,
    license: null,
  });
});
