import type { SqlDataset, SqlPart, SqlRow, SqlTables } from "../../kernel/sql/dataset.ts";
import { hashedPart } from "../../kernel/sql/part.ts";
import { groupBy } from "../../text/arrays/group-by.ts";
import type { ParsedObject } from "../../text/objects/parse-objects.ts";
import { formatJson } from "../../text/objects/values/json.ts";
import { memoize } from "./memoize.ts";
import type { ObjectEdge } from "./references/graph.ts";
import { fieldsOf, type WorkspaceObject } from "./workspace/workspace-object.ts";

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

/** The CREATE statements of each table and its indexes. */
export function objectTableSchema(): Map<string, string> {
  const statements = `${tables}${indexes}`
    .split(";")
    .map((statement) => statement.trim())
    .filter(Boolean);
  const table = (statement: string): string => /(?:TABLE|ON) (\w+)/.exec(statement)?.[1] ?? "";
  const schema = groupBy(statements, table);
  return new Map(
    [...schema].map(([name, lines]) => [name, lines.map((line) => `${line};`).join("\n")]),
  );
}

/** An example statement. */
export const exampleStatement =
  "SELECT __kind, count(*) AS count FROM objects GROUP BY __kind ORDER BY __kind";

/** An example for the guide: which objects refer to which. */
export const exampleJoinStatement = `SELECT s.__id, e.edge_type, t.__id
  FROM edges e
  JOIN objects s ON s.__global_id = e.source_id
  JOIN objects t ON t.__global_id = e.target_id
 WHERE json_extract(t.data, '$.lit') = 1`;

/** The SQL data set of a workspace, with tables that other shelves provide. */
export const buildObjectSqlSet = (
  { root, sqlParts }: { root: string; sqlParts: ReadonlyMap<string, SqlPart> },
  otherTables: readonly SqlTables[],
): SqlDataset => ({
  // The other shelves' tables differ between statements, and a data set has a fixed schema.
  name: [root, ...otherTables.map(({ tables, files }) => tables ?? files?.[0]?.schema)].join("\0"),
  tables: [tables, ...otherTables.map((other) => other.tables ?? "")].join("\n"),
  indexes,
  parts: new Map([...sqlParts, ...otherTables.flatMap((other) => [...(other.parts ?? [])])]),
  files: otherTables.flatMap((other) => other.files ?? []),
});

/** The rows by file. Only files whose rows have changed are sent to the sandbox again. */
export function buildObjectSqlParts(
  objects: readonly WorkspaceObject[],
  edges: readonly ObjectEdge[],
): Map<string, SqlPart> {
  const edgesByFile = groupBy(edges, ({ source }) => source.file);
  const parts = [...groupBy(objects, ({ file }) => file)].map(([file, own]) => {
    const edges = (edgesByFile.get(file) ?? []).map(toEdgeRow);
    return [file, hashedPart({ objects: own.map(toObjectRow), edges })] as const;
  });
  return new Map(parts);
}

const toObjectRow = (object: WorkspaceObject): SqlRow => [
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
  fieldsJson(object.record),
];

const fieldsJson = memoize((record: ParsedObject): string => formatJson(new Map(fieldsOf(record))));

const toEdgeRow = ({ source, field, target, type, targetField }: ObjectEdge): SqlRow => [
  source.globalId,
  field,
  target.globalId,
  type,
  targetField,
  source.workspace,
];
