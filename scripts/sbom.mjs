/**
 * The CycloneDX bill of materials of the package: bundled packages, installed dependencies and models.
 * The build is reproducible, so it has no date and no serial number.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** `bundled`: the folders in `node_modules` of the packages in the bundle. */
export function billOfMaterials(home, bundled) {
  const manifest = readJson(home, "package.json");
  const { packages } = readJson(home, "package-lock.json");
  const installed = Object.entries(packages)
    .filter(([folder, { dev }]) => folder !== "" && !dev)
    .map(([folder]) => folder);
  const components = [...new Set([...bundled, ...installed])].sort().map((folder) => {
    const about = packages[folder];
    if (!about) throw new Error(`${folder} is in the bundle but not in package-lock.json.`);
    const name = about.name ?? folder.slice(folder.lastIndexOf("node_modules/") + 13);
    return component("library", name, about, {
      scope: about.optional ? "optional" : "required",
      purl: purlOf(name, about.version),
      ...(about.integrity && { hashes: [hashOf(about.integrity)] }),
      properties: [
        { name: "lectern:place", value: bundled.includes(folder) ? "bundled" : "beside" },
      ],
    });
  });
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      component: component("application", manifest.name, manifest, {
        purl: purlOf(manifest.name, manifest.version),
      }),
    },
    components: [...components, ...models(home)],
  };
}

function component(type, name, { version, license }, more) {
  return {
    "bom-ref": `${name}@${version}`,
    type,
    name,
    version,
    ...(license && { licenses: [licenseOf(license)] }),
    ...more,
  };
}

/** Package URLs require `@` to be percent-encoded. */
const purlOf = (name, version) => `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;

const licenseOf = (license) =>
  /^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license };

function hashOf(integrity) {
  const [kind, sum] = integrity.split(" ")[0].split("-");
  const content = Buffer.from(sum, "base64").toString("hex");
  return { alg: kind.toUpperCase().replace("SHA", "SHA-"), content };
}

/** The bundled models, each with the hash of its network. */
function models(home) {
  return Object.values(readJson(home, "models/bundled.json")).map(({ id, files }) => ({
    "bom-ref": id,
    type: "machine-learning-model",
    name: id,
    licenses: [{ license: { id: "Apache-2.0" } }],
    hashes: [{ alg: "SHA-256", content: files["model.onnx"] }],
    properties: [{ name: "lectern:place", value: "bundled" }],
  }));
}

function readJson(home, file) {
  return JSON.parse(readFileSync(join(home, file), "utf8"));
}
