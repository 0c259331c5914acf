import { type Boundary, createBoundary } from "../../kernel/paths/boundary.ts";
import type { SqlPage } from "../../kernel/sql/dataset.ts";
import { openSqlSandbox } from "../../kernel/sql/sandbox.ts";
import { type DetailLevel, withDetail } from "../../text/objects/parse-objects.ts";
import { type Fields, numeral, type Value } from "../../text/objects/values/value.ts";
import { runObjectSql } from "./operations/sql.ts";
import { type Diagnostic, diagnosticCode } from "./workspace/diagnostic.ts";
import { openWorkspaceCache } from "./workspace/workspace-cache.ts";
import type { WorkspaceObject } from "./workspace/workspace-object.ts";
import type { WorkspaceView } from "./workspace/workspace-view.ts";

export { objectTableSchema } from "./sql-tables.ts";

/** The workspace of a command: read once, without watching files or opening the home. */
export interface WorkspaceLocation {
  /** A folder or file of the workspace. */
  path: string;
  /** The folder that relative paths start from. */
  cwd: string;
  forceRoot: string | undefined;
}

/** A workspace with all its objects, as one value to print. */
export async function dumpWorkspace(
  location: WorkspaceLocation,
  format: DetailLevel,
): Promise<Fields> {
  const view = await readView(location);
  return new Map<string, Value>([
    ["root", view.root],
    ["workspace_id", view.id],
    ["files", [...view.files]],
    ["objects", view.objects.map((object) => toObjectRecord(object, format))],
    ["errors", view.allDiagnostics.map(toErrorRecord)],
  ]);
}

/** The diagnostics of a workspace as records with all keys. */
export const listDiagnosticRecords = async (location: WorkspaceLocation): Promise<Fields[]> =>
  (await readView(location)).allDiagnostics.map(
    (diagnostic) => new Map(diagnosticEntries(diagnostic, "objectId", "fieldName")),
  );

/** The diagnostics as `file:line: code message`, which editors can parse. */
export const lintWorkspace = async (location: WorkspaceLocation): Promise<string[]> =>
  (await readView(location)).allDiagnostics.map(
    (diagnostic) =>
      `${diagnostic.file}:${diagnostic.line ?? 1}: ${diagnosticCode(diagnostic)} ${diagnostic.message}`,
  );

export const listWorkspaceFiles = async (location: WorkspaceLocation): Promise<readonly string[]> =>
  (await readView(location)).files;

/** The maximum number of rows that a command prints. */
const maxRows = 100_000;

export async function queryWorkspace(location: WorkspaceLocation, sql: string): Promise<SqlPage> {
  const view = await readView(location);
  const sandbox = openSqlSandbox();
  try {
    const state = { sql: sandbox, sqlTables: async () => [] };
    return await runObjectSql(state, view, sql, { limit: maxRows, offset: 0 });
  } finally {
    await sandbox.close();
  }
}

async function readView({ path, cwd, forceRoot }: WorkspaceLocation): Promise<WorkspaceView> {
  const boundary: Boundary = createBoundary({ base: cwd, forceRoot });
  const workspaces = openWorkspaceCache(boundary);
  try {
    return await workspaces.read(path);
  } finally {
    workspaces.close();
  }
}

/** An object with its file, line, workspace and namespace. */
function toObjectRecord(object: WorkspaceObject, format: DetailLevel): Fields {
  const [record = new Map()] = withDetail([object.record], format);
  record.set("__file", object.file).set("__line", numeral(object.line));
  if (object.workspace) record.set("__workspace", object.workspace);
  if (object.namespace) record.set("__namespace", object.namespace);
  return record;
}

/** A diagnostic as a record without null values. */
const toErrorRecord = (diagnostic: Diagnostic): Fields =>
  new Map(
    diagnosticEntries(diagnostic, "object", "field_name").filter(([, value]) => value !== null),
  );

const diagnosticEntries = (
  diagnostic: Diagnostic,
  object: string,
  field: string,
): [string, Value][] => [
  ["type", diagnostic.type],
  ["message", diagnostic.message],
  ["file", diagnostic.file ?? null],
  ["line", diagnostic.line === undefined ? null : numeral(diagnostic.line)],
  [object, diagnostic.object ?? null],
  [field, diagnostic.field ?? null],
  ["reference", diagnostic.reference ?? null],
  ["candidates", diagnostic.candidates ?? null],
  ["severity", diagnostic.severity],
];
