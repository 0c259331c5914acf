import { createManifest, type Manifest } from "./manifest.ts";
import { isTomlTable, parseToml, tomlString, tomlStrings, tomlTable, tomlTables } from "./toml.ts";

export function readCargoToml(text: string): Manifest {
  const toml = parseToml(text);
  const name = tomlString(toml, "package", "name");
  const shared = tomlTable(toml, "workspace", "package");
  const bins = tomlTables(toml, "bin").map((bin) => ({
    kind: "bin" as const,
    name: tomlString(bin, "name"),
    target: tomlString(bin, "path") ?? "src/main.rs",
  }));
  return createManifest({
    isPackage: name !== undefined,
    isPrivate: tomlTable(toml, "package").publish === false,
    name,
    version: tomlString(toml, "package", "version"),
    description: tomlString(toml, "package", "description"),
    license: tomlString(toml, "package", "license") ?? tomlString(shared, "license"),
    dependencies: [
      ...Object.keys(tomlTable(toml, "dependencies")),
      ...Object.values(tomlTable(toml, "target")).flatMap((target) =>
        isTomlTable(target) ? Object.keys(tomlTable(target, "dependencies")) : [],
      ),
    ],
    devDependencies: [
      ...Object.keys(tomlTable(toml, "dev-dependencies")),
      ...Object.keys(tomlTable(toml, "build-dependencies")),
    ],
    members: tomlStrings(toml, "workspace", "members"),
    excluded: tomlStrings(toml, "workspace", "exclude"),
    entries: [
      ...bins,
      ...(name === undefined
        ? []
        : [
            {
              kind: "main" as const,
              name,
              target: tomlString(toml, "lib", "path") ?? "src/lib.rs",
            },
            { kind: "bin" as const, name, target: "src/main.rs" },
          ]),
    ],
  });
}
