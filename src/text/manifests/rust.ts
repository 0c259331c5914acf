import { type Manifest, manifest } from "./manifest.ts";
import { isTable, readToml, tomlTable, tomlTables, tomlText, tomlTexts } from "./toml.ts";

export function readCargoToml(text: string): Manifest {
  const toml = readToml(text);
  const name = tomlText(toml, "package", "name");
  const shared = tomlTable(toml, "workspace", "package");
  const bins = tomlTables(toml, "bin").map((bin) => ({
    kind: "bin" as const,
    name: tomlText(bin, "name"),
    target: tomlText(bin, "path") ?? "src/main.rs",
  }));
  return manifest({
    isPackage: name !== undefined,
    isPrivate: tomlTable(toml, "package").publish === false,
    name,
    version: tomlText(toml, "package", "version"),
    description: tomlText(toml, "package", "description"),
    license: tomlText(toml, "package", "license") ?? tomlText(shared, "license"),
    dependencies: [
      ...Object.keys(tomlTable(toml, "dependencies")),
      ...Object.values(tomlTable(toml, "target")).flatMap((target) =>
        isTable(target) ? Object.keys(tomlTable(target, "dependencies")) : [],
      ),
    ],
    devDependencies: [
      ...Object.keys(tomlTable(toml, "dev-dependencies")),
      ...Object.keys(tomlTable(toml, "build-dependencies")),
    ],
    members: tomlTexts(toml, "workspace", "members"),
    excluded: tomlTexts(toml, "workspace", "exclude"),
    entries: [
      ...bins,
      ...(name === undefined
        ? []
        : [
            { kind: "main" as const, name, target: tomlText(toml, "lib", "path") ?? "src/lib.rs" },
            { kind: "bin" as const, name, target: "src/main.rs" },
          ]),
    ],
  });
}
