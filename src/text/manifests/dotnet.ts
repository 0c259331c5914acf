import { type Manifest, manifest, shortLines } from "./manifest.ts";
import { attribute, xmlElements } from "./xml.ts";

/** A project file of .NET, or one that gives properties to all below it. */
export function readProject(text: string): Manifest {
  const project = manifest();
  for (const element of xmlElements(text)) {
    const { path, text: value } = element;
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (path === "Project") project.tools.push(sdkOf(attribute(element, "Sdk")));
    else if (name === "PackageReference") push(attribute(element, "Include"));
    else if (name === "FrameworkReference") push(attribute(element, "Include"));
    else if (name === "PackageId" || name === "AssemblyName") project.name ??= value;
    else if (name === "Version") project.version ??= value;
    else if (name === "PackageLicenseExpression") project.license = value;
    else if (name === "Description") project.description ??= value;
    else if (name === "OutputType") project.tools.push(`OutputType ${value}`);
    else if (name === "IsPackable" && value.toLowerCase() === "false") project.isPrivate = true;
    else if (name === "UseMaui" || name === "UseWPF" || name === "UseWindowsForms") {
      if (value.toLowerCase() === "true") project.tools.push(name);
    }
  }
  return project;

  function push(name: string | undefined): void {
    if (name) project.dependencies.push(name);
  }
}

/** `MSTest.Sdk/3.6.1` is the SDK and its version. */
const sdkOf = (given = ""): string => given.replace(/\/.*$/, "");

/** A solution lists its projects; their folders are what belongs together. */
export function readSolution(text: string): Manifest {
  const isXml = text.trimStart().startsWith("<");
  const paths = isXml
    ? [...xmlElements(text)].flatMap((element) =>
        element.path.endsWith("Project") ? (attribute(element, "Path") ?? []) : [],
      )
    : shortLines(text).flatMap(
        (line) => /^Project\([^)]*\)\s*=\s*"[^"]*",\s*"([^"]+)"/.exec(line)?.[1] ?? [],
      );
  const projects = paths
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /proj$/.test(path));
  return manifest({
    isPackage: false,
    members: projects.map((path) => path.slice(0, Math.max(path.lastIndexOf("/"), 0)) || "."),
  });
}
