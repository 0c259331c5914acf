import { type Boundary, makeBoundary } from "../../kernel/boundary.ts";
import { openSqlSandbox } from "../../kernel/sql/sandbox.ts";
import type { SqlPage } from "../../kernel/sql/set.ts";
import { type Format, inFormat } from "../../text/objects/parse.ts";
import { type Fields, numeral, type Value } from "../../text/objects/value.ts";
import { type Complaint, codeOf } from "./complaint.ts";
import { answered } from "./operations/sql.ts";
import type { View } from "./view.ts";
import type { WorkspaceObject } from "./workspace-object.ts";
import { openWorkspaces } from "./workspaces.ts";

export { schemaOf } from "./lent.ts";

/** Where a command looks: it does so once, so nothing is kept, watched or opened for it. */
export interface Look {
  /** A folder or file of the workspace. */
  path: string;
  /** Where relative paths start. */
  cwd: string;
  forceRoot: string | undefined;
}

/** A workspace with all its objects, as one value to print. */
export async function wholeWorkspace(look: Look, format: Format): Promise<Fields> {
  const view = await viewAt(look);
  return new Map<string, Value>([
    ["root", view.root],
    ["workspace_id", view.id],
    ["files", [...view.files]],
    ["objects", view.objects.map((object) => placed(object, format))],
    ["errors", view.allComplaints.map(errorOf)],
  ]);
}

/** What is wrong in a workspace, each with every key. */
export const findingsIn = async (look: Look): Promise<Fields[]> =>
  (await viewAt(look)).allComplaints.map(
    (complaint) => new Map(entriesOf(complaint, "objectId", "fieldName")),
  );

/** The same as lines that editors can jump by. */
export const lintIn = async (look: Look): Promise<string[]> =>
  (await viewAt(look)).allComplaints.map(
    (one) => `${one.file}:${one.line ?? 1}: ${codeOf(one)} ${one.message}`,
  );

export const filesIn = async (look: Look): Promise<readonly string[]> => (await viewAt(look)).files;

/** A command prints all there is, within reason. */
const mostRows = 100_000;

export async function rowsOf(look: Look, sql: string): Promise<SqlPage> {
  const view = await viewAt(look);
  const sandbox = openSqlSandbox();
  try {
    const lent = { sql: sandbox, lendings: async () => [] };
    return await answered(lent, view, sql, { limit: mostRows, offset: 0 });
  } finally {
    await sandbox.close();
  }
}

async function viewAt({ path, cwd, forceRoot }: Look): Promise<View> {
  const boundary: Boundary = makeBoundary({ base: cwd, forceRoot });
  const workspaces = openWorkspaces(boundary);
  try {
    return await workspaces.at(path);
  } finally {
    workspaces.close();
  }
}

/** An object with the place that its workspace gave it. */
function placed(object: WorkspaceObject, format: Format): Fields {
  const [record = new Map()] = inFormat([object.record], format);
  record.set("__file", object.file).set("__line", numeral(object.line));
  if (object.workspace) record.set("__workspace", object.workspace);
  if (object.namespace) record.set("__namespace", object.namespace);
  return record;
}

/** Keys that say nothing are left out. */
const errorOf = (complaint: Complaint): Fields =>
  new Map(entriesOf(complaint, "object", "field_name").filter(([, value]) => value !== null));

const entriesOf = (complaint: Complaint, object: string, field: string): [string, Value][] => [
  ["type", complaint.type],
  ["message", complaint.message],
  ["file", complaint.file ?? null],
  ["line", complaint.line === undefined ? null : numeral(complaint.line)],
  [object, complaint.object ?? null],
  [field, complaint.field ?? null],
  ["reference", complaint.reference ?? null],
  ["candidates", complaint.candidates ?? null],
  ["severity", complaint.severity],
];
