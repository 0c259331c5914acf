import { basename } from "node:path/posix";
import { groupBy } from "../../../text/arrays/group-by.ts";
import { referencedId } from "../../../text/objects/ids.ts";
import type { ParsedObject } from "../../../text/objects/parse-objects.ts";
import { formatJson } from "../../../text/objects/values/json.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { WorkspaceFile } from "./workspace-map.ts";
import {
  fieldsOf,
  isLayout,
  lineOfRecord,
  numberField,
  textField,
  type WorkspaceObject,
} from "./workspace-object.ts";
import { anchorFile } from "./workspace-root.ts";

/** The errors of the parser, except duplicate ids that a workspace allows. */
export function parserDiagnostics({ path, objects }: WorkspaceFile): Diagnostic[] {
  const errors = objects.filter((record) => textField(record, "__kind") === "__ParsingError");
  if (errors.length === 0) return [];
  const distinctIds = idsDistinctByKind(objects);
  const isAllowed = (error: ParsedObject): boolean =>
    textField(error, "type") === "duplicate_id" &&
    distinctIds.has(referencedId(textField(error, "object") ?? "") ?? "");
  return errors
    .filter((error) => !isAllowed(error))
    .map((error) => toParserDiagnostic(error, path));
}

/** Ids whose objects all have different kinds, which makes them distinguishable. */
function idsDistinctByKind(objects: readonly ParsedObject[]): Set<string> {
  const byId = groupBy(objects, (record) => textField(record, "__id"));
  const haveDistinctKinds = (same: readonly ParsedObject[]): boolean =>
    new Set(same.map((record) => record.get("__kind"))).size === same.length;
  return new Set([...byId].flatMap(([id, same]) => (haveDistinctKinds(same) ? id : [])));
}

/** Keys of a parsing error that are not repeated in its message. */
const keysWithoutDetail = new Set(["type", "line"]);

function toParserDiagnostic(record: ParsedObject, file: string): Diagnostic {
  const type = textField(record, "type") ?? "error";
  const details = [...fieldsOf(record)]
    .filter(([name]) => !keysWithoutDetail.has(name))
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : formatJson(value)}`);
  return {
    type,
    message: [type, details.join(", ")].filter(Boolean).join(": "),
    file,
    line: numberField(record, "line") ?? lineOfRecord(record),
    object: textField(record, "object"),
    field: textField(record, "field"),
    reference: textField(record, "reference"),
    severity: "error",
  };
}

export function misplacedWorkspaceDiagnostic(record: ParsedObject, file: string): Diagnostic {
  const object = textField(record, "__id") ?? "";
  const message = `Workspace '${object}' must be defined in ${anchorFile}, not in '${basename(file)}'.`;
  const line = lineOfRecord(record);
  return { type: "workspace_in_wrong_file", message, file, line, object, severity: "error" };
}

/** Reports objects in different files with the same id and kind. */
export function duplicateIdDiagnostics(objects: readonly WorkspaceObject[]): Diagnostic[] {
  const first = new Map<string, WorkspaceObject>();
  const found: Diagnostic[] = [];
  const byId = groupBy(objects, (object) => (isLayout(object) ? undefined : object.id));
  for (const object of [...byId.values()].flatMap((same) => (same.length > 1 ? same : []))) {
    const { workspace, namespace, kind, id, file, line } = object;
    const key = `${workspace}\0${namespace}\0${kind}\0${id}`;
    const known = first.get(key);
    if (!known) first.set(key, object);
    else if (known.file !== file) {
      const message = `Duplicate ID '${id}' found in multiple files`;
      found.push({ type: "duplicate_id", message, file, line, object: id, severity: "error" });
    }
  }
  return found;
}
