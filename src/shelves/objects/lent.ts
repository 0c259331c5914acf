import { partOf } from "../../kernel/sql/part.ts";
import type { Lending, SqlPart, SqlRow, SqlSet } from "../../kernel/sql/set.ts";
import { groupedBy } from "../../text/grouped.ts";
import { printJson } from "../../text/objects/json.ts";
import type { ParsedObject } from "../../text/objects/parse.ts";
import type { Edge } from "./graph.ts";
import { remembered } from "./remembered.ts";
import { fieldsOf, type WorkspaceObject } from "./workspace-object.ts";

const tables = `
  CREATE TABLE objects (
    __workspace TEXT NOT NULL,
    __namespace TEXT NOT NULL DEFAULT '',
    __id TEXT NOT NULL,
    __global_id TEXT NOT NULL,
    __kind TEXT,
    __label TEXT,
    __local_id TEXT,
    __file TEXT,
    __parent TEXT,
    __line INTEGER,
    __level INTEGER,
    data TEXT
  );
  CREATE TABLE edges (
    source_id TEXT NOT NULL,
    source_field TEXT NOT NULL,
    target_id TEXT NOT NULL,
    edge_type TEXT NOT NULL,
    target_field TEXT NOT NULL DEFAULT '',
    __workspace TEXT NOT NULL
  );`;

const indexes = `
  CREATE INDEX idx_objects_global_id ON objects (__global_id);
  CREATE INDEX idx_objects_kind ON objects (__kind);
  CREATE INDEX idx_objects_namespace ON objects (__namespace);
  CREATE INDEX idx_objects_parent ON objects (__parent);
  CREATE INDEX idx_objects_workspace ON objects (__workspace);
  CREATE INDEX idx_edges_source ON edges (source_id);
  CREATE INDEX idx_edges_target ON edges (target_id);`;

/** How each table is made, with its indexes. */
export function schemaOf(): Map<string, string> {
  const statements = `${tables}${indexes}`
    .split(";")
    .map((one) => one.trim())
    .filter(Boolean);
  const table = (statement: string): string => /(?:TABLE|ON) (\w+)/.exec(statement)?.[1] ?? "";
  const schema = groupedBy(statements, table);
  return new Map([...schema].map(([name, own]) => [name, own.map((one) => `${one};`).join("\n")]));
}

/** A statement that shows what can be asked. */
export const exampleStatement =
  "SELECT __kind, count(*) AS count FROM objects GROUP BY __kind ORDER BY __kind";

/** Another one, for the guide: who speaks of what. */
export const exampleJoin = `SELECT s.__id, e.edge_type, t.__id
  FROM edges e
  JOIN objects s ON s.__global_id = e.source_id
  JOIN objects t ON t.__global_id = e.target_id
 WHERE json_extract(t.data, '$.lit') = 1`;

/** A workspace as tables, beside what other shelves lend. */
export const sqlSetOf = (
  { root, sqlParts }: { root: string; sqlParts: ReadonlyMap<string, SqlPart> },
  lendings: readonly Lending[],
): SqlSet => ({
  // What is lent beside differs from statement to statement, and a set keeps its tables.
  name: [root, ...lendings.map(({ tables, files }) => tables ?? files?.[0]?.schema)].join("\0"),
  tables: [tables, ...lendings.map((lent) => lent.tables ?? "")].join("\n"),
  indexes,
  parts: new Map([...sqlParts, ...lendings.flatMap((lent) => [...(lent.parts ?? [])])]),
  files: lendings.flatMap((lent) => lent.files ?? []),
});

/** The rows of each file; they are sent again only where they differ from those sent before. */
export function sqlPartsOf(
  objects: readonly WorkspaceObject[],
  edges: readonly Edge[],
): Map<string, SqlPart> {
  const edgesByFile = groupedBy(edges, ({ source }) => source.file);
  const parts = [...groupedBy(objects, ({ file }) => file)].map(([file, own]) => {
    const edges = (edgesByFile.get(file) ?? []).map(edgeRow);
    return [file, partOf({ objects: own.map(objectRow), edges })] as const;
  });
  return new Map(parts);
}

const objectRow = (object: WorkspaceObject): SqlRow => [
  object.workspace,
  object.namespace,
  object.id,
  object.globalId,
  object.kind,
  object.label ?? null,
  object.localId ?? null,
  object.file,
  object.parent ?? null,
  object.line,
  object.level ?? null,
  dataOf(object.record),
];

const dataOf = remembered((record: ParsedObject): string => printJson(new Map(fieldsOf(record))));

const edgeRow = ({ source, field, target, type, targetField }: Edge): SqlRow => [
  source.globalId,
  field,
  target.globalId,
  type,
  targetField,
  source.workspace,
];
