import { join } from "node:path";
import type * as z from "zod";
import { makeCatalogue } from "../../src/kernel/catalogue.ts";
import type { AnyOperation } from "../../src/kernel/operation.ts";
import { isTemplate } from "../../src/kernel/resource.ts";
import { shelves } from "../../src/shelves.ts";
import { canaries, nobody, numbers, type PrivateGround } from "./private-ground.ts";

/** One question of an agent, by one way in. */
export interface Probe {
  kind: string;
  ask: Question;
  /** The same about what is not there, whose answer must be the same. */
  nothing?: Question;
}

export type Question =
  | { tool: string; input: Record<string, unknown>; over: "tools" | "mcp" }
  | { method: string; params: Record<string, unknown> }
  | { http: string; path: string; body?: Record<string, unknown> };

/** Every probe that there is, as many as operations, paths, names and numbers give. */
export function allProbes(ground: Pick<PrivateGround, "root" | "project">): Probe[] {
  const operations = makeCatalogue(shelves)
    .entries.map(({ operation }) => operation)
    .filter(({ effect, expose }) => effect !== "decides" && (expose.mcp || expose.http))
    .filter(({ name }) => !/^(close_project|update|embed|cleanup)$/.test(name));
  return [
    ...operations.flatMap((operation) => pathProbes(operation, ground)),
    ...operations.flatMap(numberProbes),
    ...operations.flatMap(wordProbes),
    ...operations.filter(({ effect }) => effect === "reads").flatMap(plainProbes),
    ...sqlProbes(ground),
    ...resourceProbes(),
    ...routeProbes(),
  ];
}

/** The ways of spelling a path to a private file; `%` stands for its name. */
const spellings = ({ root, project }: Pick<PrivateGround, "root" | "project">): string[] => {
  const documents = join(project, "documents");
  const decomposed = (path: string): string => path.normalize("NFD");
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
    decomposed(`${documents}/%.md`),
    `${documents}/%.md`.replaceAll("/documents/", "%2Fdocuments%2F"),
    `file://${documents}/%.md`,
    `${project.slice(root.length + 1)}/documents/%.md`,
  ];
};

const folders = ({ root, project }: Pick<PrivateGround, "root" | "project">): string[] => [
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
  ground: Pick<PrivateGround, "root" | "project">,
): Probe[] {
  const keys = stringKeys(operation).filter((key) => pathKey.test(key));
  // What writes would leave the private words behind by itself, in the names of new files.
  const isAsked = operation.effect === "reads" || /^import_|^add_collection$/.test(operation.name);
  const spelled = isAsked ? spellings(ground) : [];
  return keys.flatMap((key) => [
    ...spelled.map((spelling, way) => ({
      kind: "by path",
      ask: questionFor(operation, { [key]: spelling.replaceAll("%.", `${canaries.name}.`) }, way),
      nothing: questionFor(operation, { [key]: spelling.replaceAll("%.", `${nobody}.`) }, way),
    })),
    ...folders(ground).map((path, way) => ({
      kind: "by folder",
      ask: questionFor(operation, { [key]: path }, way),
    })),
  ]);
}

function numberProbes(operation: AnyOperation): Probe[] {
  const keys = Object.keys(operation.input.shape).filter((key) =>
    /^(source_id|file_id|document_id)$/.test(key),
  );
  return keys.flatMap((key) =>
    [0, 1].map((way) => ({
      kind: "by number",
      ask: questionFor(operation, { [key]: numbers.hidden }, way),
      nothing: questionFor(operation, { [key]: numbers.missing }, way),
    })),
  );
}

/** Whatever takes words is asked for the private ones, by the whole and by a part. */
function wordProbes(operation: AnyOperation): Probe[] {
  const keys = stringKeys(operation).filter((key) =>
    /^(query|pattern|text|name|q|term|search)$/.test(key),
  );
  if (operation.effect !== "reads") return [];
  const words = Object.values(canaries);
  return keys.flatMap((key) =>
    words
      .flatMap((word) => [word, word.slice(0, 5), word.toUpperCase()])
      .map((word, way) => ({
        kind: "by words",
        ask: questionFor(operation, { [key]: word }, way),
      })),
  );
}

const plainProbes = (operation: AnyOperation): Probe[] =>
  [0, 1].map((way) => ({ kind: "by reading", ask: questionFor(operation, {}, way) }));

function sqlProbes({ root, project }: Pick<PrivateGround, "root" | "project">): Probe[] {
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
      ask: { tool: "qmdc_query_sql", input: { path, sql }, over: "tools" } as const,
    })),
  );
}

function resourceProbes(): Probe[] {
  const { resources } = makeCatalogue(shelves);
  const names = [
    `linked/${canaries.linked}.qmd.md`,
    "notes/hard-link.md",
    "notes/way.md",
    "notes/docs/adr/0002-link.md",
    canaries.linked,
    "0002-link",
  ];
  const templates = resources.filter(({ family }) => isTemplate(family));
  const read = templates.flatMap(({ family }) => {
    const start = family.uri.split("{")[0] ?? "";
    return names.map((name) => ({ kind: "by resource", ask: reading(start + name) }));
  });
  const fixed = resources
    .filter(({ family }) => !isTemplate(family))
    .map(({ family }) => ({ kind: "by resource", ask: reading(family.uri) }));
  const completed = templates.flatMap(({ family }) =>
    [...family.uri.matchAll(/\{\+?(\w+)\}/g)].flatMap(([, name = ""]) =>
      ["", canaries.linked.slice(0, 3), canaries.name.slice(0, 3), "notes/h", "linked/"].map(
        (value) => ({
          kind: "by completion",
          ask: {
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
    ...read,
    ...fixed,
    ...completed,
    ...lists.map((method) => ({ kind: "by list", ask: { method, params: {} } })),
  ];
}

const reading = (uri: string): Question => ({ method: "resources/read", params: { uri } });

/** What the house itself tells, beside the routes of operations. */
const routeProbes = (): Probe[] =>
  ["/activity", "/proposals?status=all", "/house", "/status", "/health", "/metrics", "/collections"]
    .concat(["/openapi.json", "/contexts", "/activity?limit=200", "/qualitative/reads"])
    .map((path) => ({ kind: "by route", ask: { http: "GET", path } }));

const stringKeys = ({ input }: AnyOperation): string[] =>
  Object.entries(input.shape as Record<string, z.ZodType>)
    .filter(([, schema]) => /string/.test(JSON.stringify(innermost(schema))))
    .map(([key]) => key);

/** The kind of a value, without what makes it optional. */
function innermost(schema: z.ZodType): string {
  const { type, innerType } = schema.def as { type: string; innerType?: z.ZodType };
  return innerType ? innermost(innerType) : type;
}

/** The example of an operation with some of its values replaced, by one of its ways in. */
function questionFor(
  { name, expose, example }: AnyOperation,
  values: Record<string, unknown>,
  way: number,
): Question {
  const input = { ...(example as Record<string, unknown>), ...values };
  if (expose.mcp && (expose.http === undefined || way % 3 < 2)) {
    return { tool: name, input, over: way % 2 === 0 ? "tools" : "mcp" };
  }
  const [method = "", route = ""] = (expose.http ?? "").split(" ");
  const rest = { ...input };
  const path = route.replaceAll(/\{(\w+)\+?\}/g, (_, key: string) => {
    Reflect.deleteProperty(rest, key);
    return encodeURIComponent(String(input[key]));
  });
  if (method !== "GET" && method !== "DELETE") return { http: method, path, body: rest };
  const query = new URLSearchParams(
    Object.entries(rest).map(([key, value]) => [key, String(value)] as [string, string]),
  );
  return { http: method, path: `${path}?${query}` };
}
