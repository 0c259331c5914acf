import { basename } from "node:path/posix";
import { groupedBy } from "../../text/grouped.ts";
import { referencedId } from "../../text/objects/ids.ts";
import { printJson } from "../../text/objects/json.ts";
import type { ParsedObject } from "../../text/objects/parse.ts";
import type { Complaint } from "./complaint.ts";
import type { ParsedFile } from "./territory.ts";
import {
  fieldsOf,
  isLayout,
  lineOf,
  numberIn,
  textIn,
  type WorkspaceObject,
} from "./workspace-object.ts";
import { anchorFile } from "./workspace-root.ts";

/** What the parser has against a file, save what a workspace allows. */
export function parsingComplaints({ path, objects }: ParsedFile): Complaint[] {
  const errors = objects.filter((record) => textIn(record, "__kind") === "__ParsingError");
  if (errors.length === 0) return [];
  const apart = idsToldApart(objects);
  const isAllowed = (error: ParsedObject): boolean =>
    textIn(error, "type") === "duplicate_id" &&
    apart.has(referencedId(textIn(error, "object") ?? "") ?? "");
  return errors.filter((error) => !isAllowed(error)).map((error) => parsingComplaint(error, path));
}

/** Ids whose objects are each of another kind: these are told apart by it. */
function idsToldApart(objects: readonly ParsedObject[]): Set<string> {
  const byId = groupedBy(objects, (record) => textIn(record, "__id"));
  const isApart = (same: readonly ParsedObject[]): boolean =>
    new Set(same.map((record) => record.get("__kind"))).size === same.length;
  return new Set([...byId].flatMap(([id, same]) => (isApart(same) ? id : [])));
}

/** Keys of a parsing error that are told by themselves, or by nobody. */
const apartFromWords = new Set(["type", "line"]);

function parsingComplaint(record: ParsedObject, file: string): Complaint {
  const type = textIn(record, "type") ?? "error";
  const details = [...fieldsOf(record)]
    .filter(([name]) => !apartFromWords.has(name))
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : printJson(value)}`);
  return {
    type,
    message: [type, details.join(", ")].filter(Boolean).join(": "),
    file,
    line: numberIn(record, "line") ?? lineOf(record),
    object: textIn(record, "object"),
    field: textIn(record, "field"),
    reference: textIn(record, "reference"),
    severity: "error",
  };
}

export function misplacedWorkspace(record: ParsedObject, file: string): Complaint {
  const object = textIn(record, "__id") ?? "";
  const message = `Workspace '${object}' must be defined in ${anchorFile}, not in '${basename(file)}'.`;
  const line = lineOf(record);
  return { type: "workspace_in_wrong_file", message, file, line, object, severity: "error" };
}

/** One id for two objects of a kind; those of different kinds are told apart by their kind. */
export function duplicates(objects: readonly WorkspaceObject[]): Complaint[] {
  const first = new Map<string, WorkspaceObject>();
  const found: Complaint[] = [];
  const byId = groupedBy(objects, (object) => (isLayout(object) ? undefined : object.id));
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
