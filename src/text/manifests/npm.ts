import { asJsonObject, isJsonObject, tryParseJson } from "../formats/json-value.ts";
import { createManifest, type Manifest, type ManifestEntry } from "./manifest.ts";

type Json = { readonly [key: string]: unknown };

/** `package.json`, and `deno.json` converted to its terms. */
export function readPackageJson(text: string): Manifest | undefined {
  const json = parseLenientJson(text);
  if (!json) return undefined;
  const { name, version, description, packageManager } = json;
  const optional = asJsonObject(json.peerDependenciesMeta);
  const scripts = Object.values(asJsonObject(json.scripts)).filter(isText);
  return createManifest({
    isPrivate: json.private === true,
    name: textIn(name),
    version: textIn(version),
    description: textIn(description),
    license: textIn(json.license) ?? textIn(asJsonObject(json.license).type) ?? firstLicense(json),
    dependencies: Object.keys(asJsonObject(json.dependencies)),
    peers: Object.keys(asJsonObject(json.peerDependencies)).filter(
      (peer) => asJsonObject(optional[peer]).optional !== true,
    ),
    devDependencies: Object.keys(asJsonObject(json.devDependencies)),
    members: membersOf(json),
    entries: entriesOf(json),
    tools: [
      ...embeddedTools.filter((tool) => Object.hasOwn(json, tool)),
      ...(scripts.some((script) => /\bnode\b[^&|;]{0,200} --test\b/.test(script))
        ? ["node:test"]
        : []),
      ...(isStarted(json) ? ["npm start"] : []),
      ...(scripts.some((script) => /\bbun test\b/.test(script)) ? ["bun test"] : []),
      ...(scripts.some((script) => /\bdeno test\b/.test(script)) ? ["deno test"] : []),
    ],
    packageManager: /^(npm|pnpm|yarn|bun)@/.exec(textIn(packageManager) ?? "")?.[1],
  });
}

/** An application that is run from its folder and is not published. */
const isStarted = (json: Json): boolean =>
  isText(asJsonObject(json.scripts).start) &&
  !["files", "exports", "types", "typings", "publishConfig"].some((key) =>
    Object.hasOwn(json, key),
  );

/** Tools that can be configured in `package.json`. */
const embeddedTools = ["jest", "ava", "mocha", "tap", "nyc"];

/** `workspaces` is a list, or an object with a list (Yarn). */
function membersOf(json: Json): string[] {
  const given = json.workspaces ?? json.workspace;
  return textsIn(Array.isArray(given) ? given : asJsonObject(given).packages);
}

const firstLicense = ({ licenses }: Json): string | undefined =>
  Array.isArray(licenses) ? textIn(asJsonObject(licenses[0]).type) : undefined;

function entriesOf(json: Json): ManifestEntry[] {
  const name = textIn(json.name);
  const bin = textIn(json.bin);
  const bins = bin
    ? [{ name: name?.replace(/^@[^/]*\//, ""), target: bin }]
    : Object.entries(asJsonObject(json.bin)).map(([called, target]) => ({
        name: called,
        target: textIn(target),
      }));
  const mains = [json.source, exportedTarget(json.exports), json.module, json.main].map(textIn);
  return [
    ...mains.map((target) => ({ kind: "main" as const, target })),
    ...bins.map((entry) => ({ kind: "bin" as const, ...entry })),
  ].flatMap(({ target, ...entry }) => (target ? [{ ...entry, target }] : []));
}

/**
 * The target of `import "name"`: the first path of the `.` export that is not a type declaration.
 */
function exportedTarget(exports: unknown): string | undefined {
  let value = exports;
  for (let step = 0; step < 5; step++) {
    if (isText(value)) return value;
    const object = asJsonObject(value);
    const { default: fallback, import: esm, require: cjs, node } = object;
    value = object["."] ?? esm ?? fallback ?? node ?? cjs;
  }
  return undefined;
}

/** `composer.json`. */
export function readComposerJson(text: string): Manifest | undefined {
  const json = parseLenientJson(text);
  if (!json) return undefined;
  const licenses = isText(json.license) ? [json.license] : textsIn(json.license);
  const packages = (given: unknown): string[] =>
    Object.keys(asJsonObject(given)).filter((name) => name.includes("/"));
  return createManifest({
    isPrivate: json.type === "project",
    name: textIn(json.name),
    version: textIn(json.version),
    description: textIn(json.description),
    license: licenses.length > 0 ? licenses.join(" OR ") : undefined,
    dependencies: packages(json.require),
    devDependencies: packages(json["require-dev"]),
    entries: (isText(json.bin) ? [json.bin] : textsIn(json.bin)).map((target) => ({
      kind: "bin",
      target,
    })),
  });
}

/** The workspace patterns of `lerna.json` and `rush.json`. */
export function readJsonWorkspace(text: string): Manifest | undefined {
  const json = parseLenientJson(text);
  if (!json) return undefined;
  const projects = Array.isArray(json.projects) ? json.projects : [];
  return createManifest({
    isPackage: false,
    members: [
      ...textsIn(json.packages),
      ...projects.flatMap((project) => textIn(asJsonObject(project).projectFolder) ?? []),
    ],
    packageManager: textIn(json.npmClient),
  });
}

/** `vcpkg.json`. */
export function readVcpkgJson(text: string): Manifest | undefined {
  const json = parseLenientJson(text);
  if (!json) return undefined;
  const all = Array.isArray(json.dependencies) ? json.dependencies : [];
  return createManifest({
    name: textIn(json.name),
    license: textIn(json.license),
    dependencies: all.flatMap(
      (item: unknown) => textIn(item) ?? textIn(asJsonObject(item).name) ?? [],
    ),
  });
}

/** Parses JSON with comments and trailing commas, for `deno.json` and `rush.json`. */
function parseLenientJson(text: string): Json | undefined {
  const plain = text.replace(/^\uFEFF/, "");
  for (const json of [
    plain,
    plain.replace(commentPattern, "$1").replace(trailingCommaPattern, "$1"),
  ]) {
    const value = tryParseJson(json);
    if (value !== undefined) return isJsonObject(value) ? value : undefined;
  }
  return undefined;
}

/** Matches a string as a whole, and an unclosed one to the end, to stay linear. */
const commentPattern = /("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const trailingCommaPattern = /("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|,(?=\s*[}\]])/g;

const isText = (value: unknown): value is string => typeof value === "string";

const textIn = (value: unknown): string | undefined => (isText(value) ? value : undefined);

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : []);
