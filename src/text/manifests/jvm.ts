import { allMatches, createManifest, firstMatch, type Manifest, shortLines } from "./manifest.ts";
import { readXmlElements } from "./xml.ts";

export function readPom(text: string): Manifest {
  const pom = createManifest();
  let dependency = { name: "", scope: "" };
  const settle = (): void => {
    const { name, scope } = dependency;
    if (name) (scope === "test" ? pom.devDependencies : pom.dependencies).push(name);
    dependency = { name: "", scope: "" };
  };
  for (const { path, text: value } of readXmlElements(text)) {
    if (path === "project/artifactId") pom.name = value;
    else if (path === "project/version") pom.version = value;
    else if (path === "project/description") pom.description = value;
    else if (path === "project/licenses/license/name") pom.license ??= value;
    else if (/^project\/(profiles\/profile\/)?modules\/module$/.test(path)) pom.members.push(value);
    else if (path === "project/parent/artifactId" || path.endsWith("/plugin/artifactId")) {
      pom.tools.push(value);
    } else if (path === "project/dependencies/dependency") settle();
    else if (path === "project/dependencies/dependency/artifactId") dependency.name = value;
    else if (path === "project/dependencies/dependency/scope") dependency.scope = value;
  }
  settle();
  return pom;
}

/** Gradle files are Groovy or Kotlin programs, but dependencies mostly have plain lines. */
export function readGradle(text: string): Manifest {
  const lines = shortLines(text);
  const needs = (words: string): string[] => [
    ...allMatches(lines, new RegExp(`^\\s*(?:${words})\\b[^"']*["']([^"':]+:[^"':]+)`)).map(
      (name) => name.split(":")[1] ?? name,
    ),
    ...allMatches(lines, new RegExp(`^\\s*(?:${words})\\b[\\s(]*libs\\.([\\w.]+)`)).map(dashed),
  ];
  return createManifest({
    name: firstMatch(lines, /^\s*rootProject\.name\s*=\s*["']([^"']+)["']/),
    dependencies: needs("implementation|api|compile|compileOnly|runtimeOnly|annotationProcessor"),
    devDependencies: needs("\\w*[tT]est(?:Implementation|CompileOnly|RuntimeOnly|Compile|Api)"),
    members: includedIn(lines),
    tools: [
      ...allMatches(lines, /^\s*id\s*\(?\s*["']([^"']+)["']/),
      ...allMatches(lines, /^\s*alias\s*\(\s*libs\.plugins\.([\w.]+)/).map(dashed),
      ...allMatches(lines, /^\s*apply\s*\(?\s*plugin\s*[:=]\s*["']([^"']+)["']/),
      ...allMatches(lines, /\b(useJUnitPlatform|useJUnit|useTestNG)\b/),
    ],
  });
}

/** In a version catalogue, `spring-boot-starter` is referred to as `spring.boot.starter`. */
const dashed = (alias: string): string => alias.replaceAll(".", "-");

/** `include(":app", ":libs:core")`, also over several lines; a colon separates folders. */
function includedIn(lines: readonly string[]): string[] {
  const found: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const begins = /^\s*include\b(?!Build)/.test(line);
    if (!begins && !isOpen) continue;
    const names = line.match(/["'][^"']+["']/g) ?? [];
    found.push(...names.map((name) => name.slice(1, -1)));
    isOpen = /[,(]\s*(\/\/.*)?$/.test(line);
  }
  return found.map((name) => name.replace(/^:/, "").replaceAll(":", "/"));
}

export function readSbt(text: string): Manifest {
  const lines = shortLines(text);
  const needs = lines.flatMap((line) => {
    const found = /["'][^"']+["']\s*%%?%?\s*["']([^"']+)["']/.exec(line)?.[1];
    return found ? [{ name: found, isTest: /%\s*(Test|"test")/.test(line) }] : [];
  });
  return createManifest({
    name: firstMatch(lines, /\bname\s*:=\s*"([^"]+)"/),
    version: firstMatch(lines, /\bversion\s*:=\s*"([^"]+)"/),
    dependencies: needs.filter(({ isTest }) => !isTest).map(({ name }) => name),
    devDependencies: needs.filter(({ isTest }) => isTest).map(({ name }) => name),
    members: allMatches(lines, /\bproject\s*\.?\s*in\s*\(?\s*file\(\s*"([^"]+)"/),
  });
}
