import { createManifest, type Manifest, shortLines } from "./manifest.ts";
import { readXmlElements, xmlAttribute } from "./xml.ts";

/** A .NET project file, or a props file that applies to all projects below. */
export function readDotnetProject(text: string): Manifest {
  const project = createManifest();
  for (const element of readXmlElements(text)) {
    const { path, text: value } = element;
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (path === "Project") project.tools.push(sdkOf(xmlAttribute(element, "Sdk")));
    else if (name === "PackageReference") push(xmlAttribute(element, "Include"));
    else if (name === "FrameworkReference") push(xmlAttribute(element, "Include"));
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

/** `MSTest.Sdk/3.6.1`: the SDK and its version. */
const sdkOf = (given = ""): string => given.replace(/\/.*$/, "");

/** A solution lists its projects; their folders are the workspace. */
export function readDotnetSolution(text: string): Manifest {
  const isXml = text.trimStart().startsWith("<");
  const paths = isXml
    ? [...readXmlElements(text)].flatMap((element) =>
        element.path.endsWith("Project") ? (xmlAttribute(element, "Path") ?? []) : [],
      )
    : shortLines(text).flatMap(
        (line) => /^Project\([^)]*\)\s*=\s*"[^"]*",\s*"([^"]+)"/.exec(line)?.[1] ?? [],
      );
  const projects = paths
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /proj$/.test(path));
  return createManifest({
    isPackage: false,
    members: projects.map((path) => path.slice(0, Math.max(path.lastIndexOf("/"), 0)) || "."),
  });
}
