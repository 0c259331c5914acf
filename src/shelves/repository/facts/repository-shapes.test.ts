import { describe, expect, test } from "vitest";
import { analysed, madeRepository } from "../../../../tests/fixtures/repository/made-repository.ts";
import type { RepositoryFacts } from "./facts.ts";

/** Files of which only the name and the size matter: `lib/a.rb src/b.c:9000`. */
const filler = (names: string): Record<string, string> =>
  Object.fromEntries(
    names.split(" ").map((name) => {
      const [path = "", size = "100"] = name.split(":");
      return [path, "x".repeat(Number(size))];
    }),
  );

interface Likeness {
  shape: string;
  files: Record<string, string>;
  facts: Partial<RepositoryFacts>;
}

const crate = (name: string, more = ""): string => `[package]\nname = "${name}"\n${more}`;

const likenesses: Likeness[] = [
  {
    shape: "a library whose main file is the one that nobody has to name",
    files: {
      ...filler("index.js lib/a.js:9000 test/a.js examples/b/index.js History.md:90000 Readme.md"),
      "package.json": '{"name":"a","version":"5.0.0","devDependencies":{"mocha":"10"}}',
    },
    facts: { kind: "node library", test_frameworks: ["mocha"], frameworks: [] },
  },
  {
    shape: "a server that is started where it lies",
    files: {
      ...filler("server.js routes/a.js"),
      "package.json":
        '{"name":"a","main":"server.js","scripts":{"start":"node server.js"},"dependencies":{"express":"5"}}',
    },
    facts: { kind: "node application", frameworks: ["express"] },
  },
  {
    shape: "a script for shells, with a manifest for its tools",
    files: {
      ...filler("lamp.sh:9000 install.sh README.md"),
      "package.json": '{"name":"lamp","version":"1.0.0","devDependencies":{"semver":"7"}}',
    },
    facts: { kind: "shell application", primary_language: "Shell", package_managers: ["npm"] },
  },
  {
    shape: "crates, one of which is for those who test",
    files: {
      ...filler(
        "lamp/src/lib.rs:900 lamp-test/src/lib.rs lamp-test/tests/a.rs tests-build/tests/b.rs",
      ),
      "Cargo.toml": '[workspace]\nmembers = ["lamp", "lamp-test", "tests-build", "stress-test"]\n',
      "lamp/Cargo.toml": crate("lamp", 'description = "Light"\n'),
      "lamp-test/Cargo.toml": crate("lamp-test", 'description = "Tests with light"\n'),
      "tests-build/Cargo.toml": crate("tests-build", "publish = false\n"),
      "stress-test/Cargo.toml": crate("stress-test"),
    },
    facts: {
      kind: "rust monorepo",
      packages: ["lamp", "lamp-test"],
      test_paths: ["lamp-test/tests/", "tests-build/"],
    },
  },
  {
    shape: "a gem that is made of gems in folders of their names",
    files: {
      ...filler("core/lib/a.rb:9000 core/test/a_test.rb web/lib/b.rb guides/source/a.md"),
      Gemfile: 'gemspec\ngem "rake"\n',
      "lamp.gemspec": 's.name = "lamp"\ns.add_dependency "core", v\ns.add_dependency "web", v\n',
      "core/core.gemspec": 's.name = "core"\n',
      "web/web.gemspec": 's.name = "web"\n',
    },
    facts: {
      kind: "ruby monorepo",
      packages: ["core", "web"],
      package_managers: ["bundler"],
      test_frameworks: ["minitest"],
      docs_paths: ["guides/"],
    },
  },
  {
    shape: "an application of Rails, with blocks within groups of its Gemfile",
    files: {
      ...filler("app/models/a.rb:900 config/application.rb test/models/a_test.rb Gemfile.lock"),
      Gemfile:
        '# do not edit\ngem "rails", "~> 8.0"\ngem "puma"\ngroup :development, :test do\n  platforms :mri do\n    gem "byebug"\n  end\n  gem "brakeman"\nend\ngem "bootsnap"\n',
    },
    facts: {
      kind: "ruby application",
      frameworks: ["rails"],
      runtime_dependencies: 3,
      test_frameworks: ["minitest"],
    },
  },
  {
    shape: "an application of Phoenix",
    files: {
      ...filler("lib/lamp/application.ex:900 lib/lamp_web/router.ex test/a_test.exs mix.lock"),
      "mix.exs": 'app: :lamp,\nmod: {Lamp.Application, []},\n{:phoenix, "~> 1.7"},\n',
    },
    facts: { kind: "elixir application", frameworks: ["phoenix"] },
  },
  {
    shape: "a library in Elixir that starts something too",
    files: {
      ...filler("lib/lamp.ex:900 guides/a.md"),
      "mix.exs":
        'app: :lamp,\npackage: package(),\nmod: {Lamp, []},\n{:ex_doc, "1", only: :docs}\n',
    },
    facts: { kind: "elixir library", docs_system: "ex_doc", docs_paths: ["guides/"] },
  },
  {
    shape: "Melos, set up in the root's own manifest",
    files: {
      ...filler("packages/a/lib/a.dart packages/b/lib/b.dart"),
      "pubspec.yaml":
        "name: lamp\npublish_to: none\nworkspace:\n  - packages/a\n  - packages/b\nmelos:\n  scripts:\n    check:\n      run: dart analyze\n",
      "packages/a/pubspec.yaml": "name: a\nresolution: workspace\n",
      "packages/b/pubspec.yaml": "name: b\nresolution: workspace\n",
    },
    facts: {
      kind: "dart monorepo",
      workspace_tool: ["melos", "pub workspaces"],
      packages: ["packages/a", "packages/b"],
    },
  },
  {
    shape: "a library in Swift with samples that run, and pages among its sources",
    files: {
      ...filler("Sources/Lamp/Lamp.swift:9000 Sources/Lamp/Docs.docc/index.md docs/a.md"),
      "Package.swift":
        '.library(name: "Lamp", targets: ["Lamp"]),\n.executableTarget(name: "Sample"),\n',
    },
    facts: { kind: "swift library", docs_system: "docc", docs_paths: ["docs/"] },
  },
  {
    shape: "headers in C++ that every build tool can fetch",
    files: {
      ...filler("include/lamp/lamp.hpp:9000 tests/src/unit-a.cpp MODULE.bazel meson.build"),
      "CMakeLists.txt": "project(lamp)\nadd_library(lamp INTERFACE)\nenable_testing()\n",
      "Package.swift": '.library(name: "lamp", targets: ["lamp"])',
      "docs/mkdocs/mkdocs.yml": "site_name: lamp\n",
      "docs/mkdocs/docs/index.md": "# Lamp",
    },
    facts: {
      kind: "c++ library",
      monorepo: false,
      docs_system: "mkdocs",
      docs_paths: ["docs/"],
      test_frameworks: ["ctest"],
    },
  },
  {
    shape: "modules in Kotlin whose pages are made by a tool in Python",
    files: {
      ...filler("lamp/src/main/kotlin/a.kt:9000 light/src/main/kotlin/b.kt mkdocs.yml docs/a.md"),
      "requirements.txt": "mkdocs==1.6\nmkdocs-material==9.5\n",
      "settings.gradle.kts": 'include(":lamp")\ninclude(":light")\n',
      "lamp/build.gradle.kts": "testImplementation(libs.junit.jupiter.params)\n",
      "light/build.gradle.kts": "",
    },
    facts: {
      kind: "kotlin monorepo",
      package_managers: ["gradle"],
      test_frameworks: ["junit"],
      docs_system: "mkdocs",
    },
  },
  {
    shape: "pages for which nothing but their generator is needed",
    files: {
      ...filler("mkdocs.yml docs/a.md:9000 docs/b.md:9000 docs/c.md:9000"),
      "requirements.txt": "mkdocs\n",
    },
    facts: { kind: "docs-heavy", package_managers: ["pip"], docs_paths: ["docs/"] },
  },
  {
    shape: "a solution below the top, with a program to try the library by",
    files: {
      ...filler("Src/Lamp/Lamp.cs:9000 Src/Lamp.Tests/LampTests.cs .azure/pipelines/ci.yml"),
      "Src/Lamp/Lamp.csproj": "<Project><PackageId>Lamp</PackageId></Project>",
      "Src/Lamp.Tests/Lamp.Tests.csproj": '<Project><PackageReference Include="NUnit"/></Project>',
      "Src/Lamp.TestConsole/Lamp.TestConsole.csproj":
        "<Project><OutputType>Exe</OutputType></Project>",
    },
    facts: {
      kind: "dotnet library",
      monorepo: false,
      test_frameworks: ["nunit"],
      ci: ["azure-pipelines"],
    },
  },
  {
    shape: "parts that each have their own documentation",
    files: {
      ...filler("ir/CMakeLists.txt ir/lib/a.cpp:9000 ir/docs/conf.py ir/docs/a.rst ir/docs/b.rst"),
      ...filler("lang/lib/b.cpp:900 lang/docs/conf.py lang/docs/a.rst lang/docs/b.rst"),
      "LICENSE.TXT":
        "Apache License\nVersion 2.0, January 2004\n---- LLVM Exceptions to the Apache 2.0 License ----",
    },
    facts: {
      docs_system: "sphinx",
      docs_paths: ["ir/docs/", "lang/docs/"],
      license: "Apache-2.0 WITH LLVM-exception",
    },
  },
  {
    shape: "a library in Python that is made in an environment of Conda",
    files: {
      ...filler("lamp/a.py:9000 lamp/tests/test_a.py doc/source/conf.py doc/source/a.rst"),
      "environment.yml": "dependencies:\n  - numpy\n",
      "pyproject.toml":
        '[project]\nname = "lamp"\n[project.optional-dependencies]\nt = ["pytest"]\n',
    },
    facts: {
      kind: "python library",
      package_managers: ["conda", "pip"],
      docs_paths: ["doc/"],
      test_frameworks: ["pytest"],
    },
  },
  {
    shape: "a program in Python for the console, by its author's own words",
    files: {
      ...filler("lamp/cli.py:9000 lamp/__main__.py"),
      "pyproject.toml":
        '[project]\nname = "lamp"\nclassifiers = ["Environment :: Console"]\nscripts.lamp = "lamp.cli:main"\n',
    },
    facts: { kind: "python application" },
  },
  {
    shape: "the same in the older way, with a manifest that says nothing",
    files: {
      ...filler("lamp/cli.py:9000"),
      "setup.py": "from setuptools import setup\nsetup()\n",
      "setup.cfg":
        "[metadata]\nname = lamp\nclassifiers =\n  Environment :: Console\n[options.entry_points]\nconsole_scripts =\n  lamp = lamp.cli:main\n",
    },
    facts: { kind: "python application" },
  },
  {
    shape: "a library in Python that brings a command",
    files: {
      ...filler("lamp/cli.py:9000 lamp/__main__.py"),
      "pyproject.toml":
        '[project]\nname = "lamp"\nclassifiers = ["Environment :: Console", "Topic :: Software Development :: Libraries :: Application Frameworks"]\nscripts.lamp = "lamp.cli:main"\n',
    },
    facts: { kind: "python library" },
  },
  {
    shape: "a project in Python that is never published",
    files: {
      ...filler("lamp/cli.py:9000"),
      "pyproject.toml": '[project]\nname = "lamp"\nclassifiers = ["Private :: Do Not Upload"]\n',
    },
    facts: { kind: "python application" },
  },
  {
    shape: "a project in Python that is never built",
    files: {
      ...filler("lamp/cli.py:9000"),
      "pyproject.toml": '[project]\nname = "lamp"\n[tool.uv]\npackage = false\n',
    },
    facts: { kind: "python application" },
  },
  {
    shape: "an application of Django, whose tests lie in one file",
    files: {
      ...filler("manage.py lamp/settings.py shop/models.py shop/tests.py"),
      "requirements.txt": "Django==5.0\n",
    },
    facts: {
      kind: "python application",
      frameworks: ["django"],
      test_frameworks: ["unittest"],
      has_tests: true,
    },
  },
  {
    shape: "records of decisions and nothing else",
    files: filler(".adr-dir doc/adr/0001-record.md doc/adr/0002-light.md doc/adr/0003-oil.md"),
    facts: { kind: "docs-heavy", docs_system: "adr-tools (ADR)", docs_paths: ["doc/"] },
  },
];

describe("[repository.analysis.replicas] trees modeled on well-known repositories", () => {
  for (const { shape, files, facts } of likenesses) {
    test(shape, async () => {
      expect((await analysed(madeRepository(files))).facts).toMatchObject(facts);
    });
  }
});
