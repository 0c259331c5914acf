import { isObject, objectIn, parsedJson } from "../json-value.ts";
import { type Entry, type Manifest, manifest } from "./manifest.ts";

type Json = { readonly [key: string]: unknown };

/** `package.json`, and Deno's own manifest in the same terms. */
export function readPackageJson(text: string): Manifest | undefined {
  const json = parsed(text);
  if (!json) return undefined;
  const { name, version, description, packageManager } = json;
  const optional = objectIn(json.peerDependenciesMeta);
  const scripts = Object.values(objectIn(json.scripts)).filter(isText);
  return manifest({
    isPrivate: json.private === true,
    name: textIn(name),
    version: textIn(version),
    description: textIn(description),
    license: textIn(json.license) ?? textIn(objectIn(json.license).type) ?? firstLicense(json),
    dependencies: Object.keys(objectIn(json.dependencies)),
    peers: Object.keys(objectIn(json.peerDependencies)).filter(
      (peer) => objectIn(optional[peer]).optional !== true,
    ),
    devDependencies: Object.keys(objectIn(json.devDependencies)),
    members: membersOf(json),
    entries: entriesOf(json),
    tools: [
      ...configured.filter((tool) => Object.hasOwn(json, tool)),
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

/** A program that is started where it lies, and says nothing of what others would get of it. */
const isStarted = (json: Json): boolean =>
  isText(objectIn(json.scripts).start) &&
  !["files", "exports", "types", "typings", "publishConfig"].some((key) =>
    Object.hasOwn(json, key),
  );

/** Tools that may be set up within `package.json`. */
const configured = ["jest", "ava", "mocha", "tap", "nyc"];

/** `workspaces` is a list, or Yarn's object with a list in it. */
function membersOf(json: Json): string[] {
  const given = json.workspaces ?? json.workspace;
  return textsIn(Array.isArray(given) ? given : objectIn(given).packages);
}

const firstLicense = ({ licenses }: Json): string | undefined =>
  Array.isArray(licenses) ? textIn(objectIn(licenses[0]).type) : undefined;

function entriesOf(json: Json): Entry[] {
  const name = textIn(json.name);
  const bin = textIn(json.bin);
  const bins = bin
    ? [{ name: name?.replace(/^@[^/]*\//, ""), target: bin }]
    : Object.entries(objectIn(json.bin)).map(([called, target]) => ({
        name: called,
        target: textIn(target),
      }));
  const mains = [json.source, exported(json.exports), json.module, json.main].map(textIn);
  return [
    ...mains.map((target) => ({ kind: "main" as const, target })),
    ...bins.map((entry) => ({ kind: "bin" as const, ...entry })),
  ].flatMap(({ target, ...entry }) => (target ? [{ ...entry, target }] : []));
}

/** What `import "name"` leads to: the first path below `.` that is no type declaration. */
function exported(exports: unknown): string | undefined {
  let value = exports;
  for (let step = 0; step < 5; step++) {
    if (isText(value)) return value;
    const object = objectIn(value);
    const { default: fallback, import: esm, require: cjs, node } = object;
    value = object["."] ?? esm ?? fallback ?? node ?? cjs;
  }
  return undefined;
}

/** `composer.json`. */
export function readComposerJson(text: string): Manifest | undefined {
  const json = parsed(text);
  if (!json) return undefined;
  const licenses = isText(json.license) ? [json.license] : textsIn(json.license);
  const packages = (given: unknown): string[] =>
    Object.keys(objectIn(given)).filter((name) => name.includes("/"));
  return manifest({
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

/** The patterns in lerna's and rush's own files. */
export function readWorkspaceJson(text: string): Manifest | undefined {
  const json = parsed(text);
  if (!json) return undefined;
  const projects = Array.isArray(json.projects) ? json.projects : [];
  return manifest({
    isPackage: false,
    members: [
      ...textsIn(json.packages),
      ...projects.flatMap((project) => textIn(objectIn(project).projectFolder) ?? []),
    ],
    packageManager: textIn(json.npmClient),
  });
}

/** `vcpkg.json`. */
export function readVcpkgJson(text: string): Manifest | undefined {
  const json = parsed(text);
  if (!json) return undefined;
  const all = Array.isArray(json.dependencies) ? json.dependencies : [];
  return manifest({
    name: textIn(json.name),
    license: textIn(json.license),
    dependencies: all.flatMap((item: unknown) => textIn(item) ?? textIn(objectIn(item).name) ?? []),
  });
}

/** Deno's and rush's files may have comments, and commas behind the last of a list. */
function parsed(text: string): Json | undefined {
  const plain = text.replace(/^\uFEFF/, "");
  for (const json of [plain, plain.replace(comment, "$1").replace(lastComma, "$1")]) {
    const value = parsedJson(json);
    if (value !== undefined) return isObject(value) ? value : undefined;
  }
  return undefined;
}

/** A string is taken whole, and one without an end to the end, so that no letter is looked at twice. */
const comment = /("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const lastComma = /("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|,(?=\s*[}\]])/g;

const isText = (value: unknown): value is string => typeof value === "string";

const textIn = (value: unknown): string | undefined => (isText(value) ? value : undefined);

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : []);
