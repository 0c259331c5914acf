import { join } from "node:path";
import type * as z from "zod";
import type { AnyOperation } from "../../../src/kernel/operation.ts";
import { createCatalogue } from "../../../src/kernel/operations/catalogue.ts";
import { isUriTemplate } from "../../../src/kernel/operations/resource.ts";
import { shelves } from "../../../src/shelves.ts";
import { canaries, numbers, type PrivateSourcesFixture, unusedName } from "./private-sources.ts";

/** One request of an agent over one surface. */
export interface Probe {
  kind: string;
  request: ProbeRequest;
  /** The same request for something missing, which must have the same answer. */
  control?: ProbeRequest;
}

export type ProbeRequest =
  | { tool: string; input: Record<string, unknown>; over: "tools" | "mcp" }
  | { method: string; params: Record<string, unknown> }
  | { http: string; path: string; body?: Record<string, unknown> };

/** Every probe, from all operations, paths, names and numbers. */
export function allProbes(fixture: Pick<PrivateSourcesFixture, "root" | "project">): Probe[] {
  const operations = createCatalogue(shelves)
    .entries.map(({ operation }) => operation)
    .filter(({ effect, expose }) => effect !== "decides" && (expose.mcp || expose.http))
    .filter(({ name }) => !/^(close_project|update|embed|cleanup)$/.test(name));
  return [
    ...operations.flatMap((operation) => pathProbes(operation, fixture)),
    ...operations.flatMap(numberProbes),
    ...operations.flatMap(wordProbes),
    ...operations.filter(({ effect }) => effect === "reads").flatMap(plainProbes),
    ...sqlProbes(fixture),
    ...resourceProbes(),
    ...routeProbes(),
  ];
}

/** Spellings of a path to a private file; `%` stands for its name. */
const spellings = ({
  root,
  project,
}: Pick<PrivateSourcesFixture, "root" | "project">): string[] => {
  const documents = join(project, "documents");
  const withDecomposedName = (path: string): string => path.normalize("NFD");
  return [
    `${documents}/%.md`,
    `${documents}/%.qmd.md`,
    `${documents}/%.txt`,
    `${documents}//%.md`,
    `${documents}/./%.md`,
    `${documents}/../documents/%.md`,
    `${documents}/%.md/`,
    `${project}/DOCUMENTS/%.md`,
    `${root}/notes/../${project.slice(root.length + 1)}/documents/%.txt`,
    `${root}/alias/%.md`,
    `${root}/alias/%.qmd.md`,
    withDecomposedName(`${documents}/%.md`),
    `${documents}/%.md`.replaceAll("/documents/", "%2Fdocuments%2F"),
    `file://${documents}/%.md`,
    `${project.slice(root.length + 1)}/documents/%.md`,
  ];
};

const folders = ({ root, project }: Pick<PrivateSourcesFixture, "root" | "project">): string[] => [
  project,
  `${project}/`,
  `${project}/documents`,
  `${project}/documents/`,
  `${root}/alias`,
  `${root}/linked`,
  root,
  `${root}/notes`,
  `${root}/notes/docs/adr`,
  `${root}/linked/${canaries.linked}.qmd.md`,
  `${root}/notes/hard-link.md`,
  `${root}/notes/way.md`,
];

const pathKey =
  /^(path|file|folder|.*path|.*_path|repository|docs|project|to|readme.*|sitemap.*)$/i;

function pathProbes(
  operation: AnyOperation,
  fixture: Pick<PrivateSourcesFixture, "root" | "project">,
): Probe[] {
  const keys = stringKeys(operation).filter((key) => pathKey.test(key));
  // Writing operations would create files whose names contain the private words.
  const takesSpellings =
    operation.effect === "reads" || /^import_|^add_collection$/.test(operation.name);
  const spellingList = takesSpellings ? spellings(fixture) : [];
  return keys.flatMap((key) => [
    ...spellingList.map((spelling, variant) => ({
      kind: "by path",
      request: requestFor(
        operation,
        { [key]: spelling.replaceAll("%.", `${canaries.name}.`) },
        variant,
      ),
      control: requestFor(
        operation,
        { [key]: spelling.replaceAll("%.", `${unusedName}.`) },
        variant,
      ),
    })),
    ...folders(fixture).map((path, variant) => ({
      kind: "by folder",
      request: requestFor(operation, { [key]: path }, variant),
    })),
  ]);
}

function numberProbes(operation: AnyOperation): Probe[] {
  const keys = Object.keys(operation.input.shape).filter((key) =>
    /^(source_id|file_id|document_id)$/.test(key),
  );
  return keys.flatMap((key) =>
    [0, 1].map((variant) => ({
      kind: "by number",
      request: requestFor(operation, { [key]: numbers.hidden }, variant),
      control: requestFor(operation, { [key]: numbers.missing }, variant),
    })),
  );
}

/** Every operation that takes text gets the private words, in full and in part. */
function wordProbes(operation: AnyOperation): Probe[] {
  const keys = stringKeys(operation).filter((key) =>
    /^(query|pattern|text|name|q|term|search)$/.test(key),
  );
  if (operation.effect !== "reads") return [];
  const secretWords = Object.values(canaries);
  return keys.flatMap((key) =>
    secretWords
      .flatMap((word) => [word, word.slice(0, 5), word.toUpperCase()])
      .map((word, variant) => ({
        kind: "by words",
        request: requestFor(operation, { [key]: word }, variant),
      })),
  );
}

const plainProbes = (operation: AnyOperation): Probe[] =>
  [0, 1].map((variant) => ({ kind: "by reading", request: requestFor(operation, {}, variant) }));

function sqlProbes({ root, project }: Pick<PrivateSourcesFixture, "root" | "project">): Probe[] {
  const statements = [
    "SELECT * FROM segments",
    "SELECT count(*) FROM segments WHERE source_id = 1",
    "SELECT * FROM codes",
    "SELECT * FROM documents",
    "SELECT * FROM sources",
    "SELECT * FROM objects",
    "SELECT * FROM main.source",
    "SELECT * FROM private_files",
    "SELECT name FROM sqlite_master",
  ];
  return statements.flatMap((sql) =>
    [root, join(root, "notes"), join(root, "linked"), project].map((path) => ({
      kind: "by SQL",
      request: { tool: "qmdc_query_sql", input: { path, sql }, over: "tools" } as const,
    })),
  );
}

function resourceProbes(): Probe[] {
  const { resources } = createCatalogue(shelves);
  const names = [
    `linked/${canaries.linked}.qmd.md`,
    "notes/hard-link.md",
    "notes/way.md",
    "notes/docs/adr/0002-link.md",
    canaries.linked,
    "0002-link",
  ];
  const templates = resources.filter(({ family }) => isUriTemplate(family));
  const readProbes = templates.flatMap(({ family }) => {
    const start = family.uri.split("{")[0] ?? "";
    return names.map((name) => ({ kind: "by resource", request: readRequest(start + name) }));
  });
  const fixed = resources
    .filter(({ family }) => !isUriTemplate(family))
    .map(({ family }) => ({ kind: "by resource", request: readRequest(family.uri) }));
  const completed = templates.flatMap(({ family }) =>
    [...family.uri.matchAll(/\{\+?(\w+)\}/g)].flatMap(([, name = ""]) =>
      ["", canaries.linked.slice(0, 3), canaries.name.slice(0, 3), "notes/h", "linked/"].map(
        (value) => ({
          kind: "by completion",
          request: {
            method: "completion/complete",
            params: {
              ref: { type: "ref/resource", uri: family.uri },
              argument: { name, value },
            },
          },
        }),
      ),
    ),
  );
  const lists = ["resources/list", "resources/templates/list", "prompts/list", "tools/list"];
  return [
    ...readProbes,
    ...fixed,
    ...completed,
    ...lists.map((method) => ({ kind: "by list", request: { method, params: {} } })),
  ];
}

const readRequest = (uri: string): ProbeRequest => ({ method: "resources/read", params: { uri } });

/** System routes, in addition to those of operations. */
const routeProbes = (): Probe[] =>
  [
    "/activity",
    "/proposals?status=all",
    "/system",
    "/house",
    "/status",
    "/health",
    "/metrics",
    "/collections",
  ]
    .concat(["/openapi.json", "/contexts", "/activity?limit=200", "/qualitative/reads"])
    .map((path) => ({ kind: "by route", request: { http: "GET", path } }));

const stringKeys = ({ input }: AnyOperation): string[] =>
  Object.entries(input.shape as Record<string, z.ZodType>)
    .filter(([, schema]) => /string/.test(JSON.stringify(unwrappedType(schema))))
    .map(([key]) => key);

/** The type of a value, without its optional wrapper. */
function unwrappedType(schema: z.ZodType): string {
  const { type, innerType } = schema.def as { type: string; innerType?: z.ZodType };
  return innerType ? unwrappedType(innerType) : type;
}

/** The example of an operation with some values replaced, over one surface. */
function requestFor(
  { name, expose, example }: AnyOperation,
  values: Record<string, unknown>,
  variant: number,
): ProbeRequest {
  const input = { ...(example as Record<string, unknown>), ...values };
  if (expose.mcp && (expose.http === undefined || variant % 3 < 2)) {
    return { tool: name, input, over: variant % 2 === 0 ? "tools" : "mcp" };
  }
  const [method = "", route = ""] = (expose.http ?? "").split(" ");
  const remaining = { ...input };
  const path = route.replaceAll(/\{(\w+)\+?\}/g, (_, key: string) => {
    Reflect.deleteProperty(remaining, key);
    return encodeURIComponent(String(input[key]));
  });
  if (method !== "GET" && method !== "DELETE") return { http: method, path, body: remaining };
  const query = new URLSearchParams(
    Object.entries(remaining).map(([key, value]) => [key, String(value)] as [string, string]),
  );
  return { http: method, path: `${path}?${query}` };
}
