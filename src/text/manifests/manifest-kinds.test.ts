import { describe, expect, test } from "vitest";
import type { Manifest } from "./manifest.ts";
import { lockFileManager, manifestKindOf } from "./manifest-kinds.ts";

const read = (file: string, text: string): Manifest | undefined =>
  manifestKindOf(file)?.read?.(text);

describe("manifests of every ecosystem", () => {
  const cases: [string, string, Partial<Manifest>][] = [
    [
      "package.json",
      '{"name":"a","version":"1","license":{"type":"MIT"},"dependencies":{"b":"1"},"exports":{".":{"import":"./x.js"}}}',
      {
        name: "a",
        version: "1",
        license: "MIT",
        dependencies: ["b"],
        entries: [{ kind: "main", target: "./x.js" }],
      },
    ],
    [
      "pyproject.toml",
      '[project]\nname = "a"\nclassifiers = ["License :: OSI Approved :: MIT License"]\ndependencies = ["Flask[async]>=3"]\n[dependency-groups]\ntest = ["pytest", {include-group = "x"}]\n[build-system]\nbuild-backend = "poetry.core.masonry.api"\n',
      {
        name: "a",
        license: "License :: OSI Approved :: MIT License",
        dependencies: ["flask"],
        devDependencies: ["pytest"],
        buildBackend: "poetry-core",
      },
    ],
    [
      "setup.py",
      'setup(\n  name="a",\n  install_requires=[\n    "six>=1",\n    \'attrs\',\n  ],\n  tests_require=["nose"],\n)',
      { name: "a", dependencies: ["six", "attrs"], devDependencies: ["nose"] },
    ],
    [
      "setup.cfg",
      "[metadata]\nname = a\n[options]\ninstall_requires =\n  six\n  attrs>=2\n",
      { name: "a", dependencies: ["six", "attrs"] },
    ],
    [
      "setup.cfg",
      "[options.entry_points]\nconsole_scripts =\n  lamp = lamp.cli:main\n  dim=lamp.dim\n",
      {
        entries: [
          { kind: "bin", name: "lamp", target: "lamp.cli:main" },
          { kind: "bin", name: "dim", target: "lamp.dim" },
        ],
      },
    ],
    [
      "setup.py",
      'setup(\n  entry_points={\n    "console_scripts": [\n      "lamp = lamp.cli:main",\n    ],\n    "other": ["a = b:c"],\n  },\n)',
      { entries: [{ kind: "bin", name: "lamp", target: "lamp.cli:main" }] },
    ],
    [
      "requirements.txt",
      "# A\nDjango==5\n-r more.txt\n\nrequests ; x\n",
      { dependencies: ["django", "requests"] },
    ],
    [
      "Pipfile",
      '[packages]\nflask = "*"\n[dev-packages]\npytest = "*"\n',
      { dependencies: ["flask"], devDependencies: ["pytest"] },
    ],
    [
      "go.mod",
      "module example.org/a // x\n\nrequire (\n\tb.org/c v1.0.0\n\td.org/e v1.0.0 // indirect\n)\nrequire f.org/g v2.0.0\n",
      { name: "example.org/a", dependencies: ["b.org/c", "f.org/g"] },
    ],
    [
      "Cargo.toml",
      '[package]\nname = "a"\nlicense = "MIT OR Apache-2.0"\n[dependencies]\nserde = "1"\n[dev-dependencies]\nrand = "1"\n',
      {
        name: "a",
        license: "MIT OR Apache-2.0",
        dependencies: ["serde"],
        devDependencies: ["rand"],
      },
    ],
    ["Cargo.toml", '[workspace]\nmembers = ["a"]\n', { isPackage: false, members: ["a"] }],
    [
      "pom.xml",
      "<project><!-- <artifactId>no</artifactId> --><parent><artifactId>p</artifactId></parent><artifactId>a</artifactId><licenses><license><name>MIT</name></license></licenses><dependencies><dependency><artifactId>b</artifactId></dependency><dependency><artifactId>c</artifactId><scope>test</scope></dependency></dependencies></project>",
      { name: "a", license: "MIT", dependencies: ["b"], devDependencies: ["c"], tools: ["p"] },
    ],
    [
      "build.gradle.kts",
      'dependencies {\n  implementation("org.a:b:1")\n  testImplementation("org.c:d:1")\n}\n',
      { dependencies: ["b"], devDependencies: ["d"] },
    ],
    [
      "build.sbt",
      'name := "a"\nlibraryDependencies += "org.b" %% "c" % "1"\n',
      { name: "a", dependencies: ["c"] },
    ],
    [
      "A.csproj",
      '<Project Sdk="X"><PropertyGroup><PackageLicenseExpression>MIT</PackageLicenseExpression></PropertyGroup><ItemGroup><PackageReference Include="B" Version="1" /></ItemGroup></Project>',
      { license: "MIT", dependencies: ["B"], tools: ["X"] },
    ],
    ["A.slnx", '<Solution><Project Path="src/A/A.csproj" /></Solution>', { members: ["src/A"] }],
    [
      "composer.json",
      '{"name":"a/b","license":["MIT","GPL-2.0"],"require":{"php":"8","c/d":"1"},"require-dev":{"e/f":"1"}}',
      { name: "a/b", license: "MIT OR GPL-2.0", dependencies: ["c/d"], devDependencies: ["e/f"] },
    ],
    [
      "Gemfile",
      'gem "a"\ngroup :development, :test do\n  gem "b"\nend\ngem "c", group: :test\n',
      { dependencies: ["a"], devDependencies: ["b", "c"] },
    ],
    [
      "a.gemspec",
      's.name = "a"\ns.license = "MIT"\ns.add_dependency "b", "1"\ns.add_development_dependency("c")\n',
      { name: "a", license: "MIT", dependencies: ["b"], devDependencies: ["c"] },
    ],
    [
      "mix.exs",
      'app: :a,\nlicenses: ["MIT"],\n  {:b, "~> 1.0"},\n  {:c, "~> 1.0", only: :dev},\n',
      { name: "a", license: "MIT", dependencies: ["b"], devDependencies: ["c"] },
    ],
    [
      "pubspec.yaml",
      "name: a\ndependencies:\n  b: ^1.0.0\n  c:\n    sdk: flutter\n  d:\ndev_dependencies:\n  e: any\n",
      { name: "a", dependencies: ["b", "c", "d"], devDependencies: ["e"] },
    ],
    [
      "Package.swift",
      'name: "a",\n.package(url: "https://example.org/b/c.git", from: "1.0.0"),\n.testTarget(name: "t"),\n',
      { name: "a", dependencies: ["c"], tools: ["testTarget"] },
    ],
    [
      "CMakeLists.txt",
      "project(a VERSION 1.2)\nfind_package(OpenSSL REQUIRED)\nenable_testing()\n",
      { name: "a", version: "1.2", dependencies: ["OpenSSL"], tools: ["ctest"] },
    ],
    [
      "meson.build",
      "project('a', 'c', license: 'MIT')\ndependency('zlib')\n",
      { name: "a", license: "MIT", dependencies: ["zlib"] },
    ],
    [
      "vcpkg.json",
      '{"name":"a","dependencies":["b",{"name":"c"}]}',
      { name: "a", dependencies: ["b", "c"] },
    ],
    [
      "a.cabal",
      "name: a\nlicense: BSD-3-Clause\nlibrary\n  build-depends: base, text >= 1\n",
      { name: "a", license: "BSD-3-Clause", dependencies: ["base", "text"] },
    ],
    [
      "DESCRIPTION",
      "Package: a\nLicense: MIT + file LICENSE\nImports: b,\n    c (>= 1)\nSuggests: testthat\n",
      { name: "a", license: "MIT", dependencies: ["b", "c"], devDependencies: ["testthat"] },
    ],
    [
      "Project.toml",
      'name = "A"\nuuid = "x"\n[deps]\nB = "y"\n',
      { name: "A", dependencies: ["B"] },
    ],
    [
      "shard.yml",
      "name: a\ndependencies:\n  b:\n    github: x/b\n",
      { name: "a", dependencies: ["b"] },
    ],
    ["rebar.config", '{deps, [\n  {cowboy, "2.0"}\n]}.\n', { dependencies: ["cowboy"] }],
  ];
  for (const [file, text, expected] of cases) {
    test(`${file}: ${text.slice(0, 30).replaceAll("\n", " ")}`, () => {
      expect(read(file, text)).toMatchObject(expected);
    });
  }

  test("invalid JSON yields nothing", () => {
    expect(read("package.json", "{")).toBeUndefined();
    expect(read("composer.json", "null")).toBeUndefined();
  });

  test("names keep their case, even if others use it too", () => {
    expect(manifestKindOf("docs/description")).toBeUndefined();
    expect(manifestKindOf("a/Description.md")).toBeUndefined();
    expect(manifestKindOf("GEMFILE")?.ecosystem).toBe("ruby");
    expect(manifestKindOf("src/package.json.ts")).toBeUndefined();
    expect(manifestKindOf("constructor")).toBeUndefined();
  });

  test("a lock file determines its package manager", () => {
    expect(lockFileManager("web/pnpm-lock.yaml")).toBe("pnpm");
    expect(lockFileManager("yarn.lock.md")).toBeUndefined();
    expect(lockFileManager("toString")).toBeUndefined();
  });
});
