import { basename } from "node:path/posix";
import { referencedId, referenceTo } from "../../../text/objects/ids.ts";
import type { ObjectPosition } from "../../../text/objects/object-positions.ts";
import type { ParsedObject } from "../../../text/objects/parse-objects.ts";
import { numeral, type Value } from "../../../text/objects/values/value.ts";
import { memoize } from "../memoize.ts";
import type { Diagnostic } from "./diagnostic.ts";
import {
  duplicateIdDiagnostics,
  misplacedWorkspaceDiagnostic,
  parserDiagnostics,
} from "./workspace-diagnostics.ts";
import { type FileScope, mapWorkspaces, type WorkspaceFile } from "./workspace-map.ts";
import {
  isFolderKind,
  isLayout,
  isSystem,
  lineOfRecord,
  numberField,
  textField,
  type WorkspaceObject,
} from "./workspace-object.ts";
import { anchorFile } from "./workspace-root.ts";

/** The files, objects and diagnostics below a root. */
export interface ParsedWorkspace {
  /** The id of the workspace; null if there are several or no valid one. */
  readonly id: string | null;
  readonly files: readonly string[];
  readonly objects: readonly WorkspaceObject[];
  /** The diagnostics that do not depend on references. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Assembles the parsed files. If no workspace is declared, a virtual one is named after the folder. */
export function assembleWorkspace(
  folderName: string,
  files: readonly WorkspaceFile[],
): ParsedWorkspace {
  const workspaceMap = mapWorkspaces(files);
  const diagnostics = [...workspaceMap.diagnostics];
  const records: RecordInFile[] = [];
  const paths: string[] = [];
  let isMisplaced = false;
  for (const file of files) {
    const { path, objects, positions } = file;
    const scope = workspaceMap.scopeOf(path);
    if (!scope) continue;
    const positionOf = positionsByObject(positions);
    paths.push(path);
    for (const diagnostic of parserDiagnostics(file)) diagnostics.push(diagnostic);
    for (const record of objects) {
      const kind = textField(record, "__kind");
      if (kind === "__ParsingError") continue;
      if (kind === "__Workspace" && basename(path) !== anchorFile) {
        isMisplaced = true;
        diagnostics.push(misplacedWorkspaceDiagnostic(record, path));
      } else records.push({ record, file: path, scope, position: positionOf.get(record) });
    }
  }
  const isVirtual = workspaceMap.workspaces.length === 0 && !isMisplaced && paths.length > 0;
  const allocateId = createGlobalIdAllocator();
  const objects = isVirtual ? [virtualWorkspace(folderName, allocateId)] : [];
  for (const one of records) {
    const scope = isVirtual ? { ...one.scope, workspace: folderName } : one.scope;
    objects.push(toWorkspaceObject({ ...one, scope }, allocateId));
  }
  const [only, ...others] = workspaceMap.workspaces;
  return {
    id: isVirtual ? folderName : others.length === 0 ? (only ?? null) : null,
    files: paths,
    objects: withParents(objects, diagnostics),
    diagnostics: [...diagnostics, ...duplicateIdDiagnostics(objects)],
  };
}

/** A record with its file, scope and position. */
interface RecordInFile {
  record: ParsedObject;
  file: string;
  scope: FileScope;
  position: ObjectPosition | undefined;
}

function toWorkspaceObject(
  { record, file, scope, position }: RecordInFile,
  allocateId: GlobalIdAllocator,
): WorkspaceObject {
  const { id, localId, kind, label, line, level, parent } = recordIdentity(record);
  const workspace = kind === "__Workspace" ? "" : scope.workspace;
  const namespace = isFolderKind(kind) ? "" : scope.namespace;
  const globalId = allocateId({ workspace, namespace, kind, id, file, line });
  return {
    record,
    id,
    localId,
    kind,
    label,
    line,
    level,
    parent,
    file,
    workspace,
    namespace,
    position,
    globalId,
  };
}

/** The properties of an object that do not depend on its location. */
const recordIdentity = memoize((record: ParsedObject) => {
  const parent = textField(record, "__parent");
  return {
    id: textField(record, "__id") ?? "",
    localId: textField(record, "__local_id"),
    kind: textField(record, "__kind") ?? "__Object",
    label: textField(record, "__label"),
    line: lineOfRecord(record),
    level: numberField(record, "__level"),
    parent: parent === undefined ? undefined : (referencedId(parent) ?? parent),
  };
});

const positionsByObject = memoize(
  (positions: readonly ObjectPosition[]) =>
    new Map(positions.map((position) => [position.object, position])),
);

function virtualWorkspace(name: string, allocateId: GlobalIdAllocator): WorkspaceObject {
  const record: ParsedObject = new Map<string, Value>([
    ["__id", name],
    ["__kind", "__Workspace"],
    ["name", name],
    ["__line", numeral(1)],
  ]);
  const scope = { workspace: "", namespace: "" };
  return toWorkspaceObject({ record, file: "", scope, position: undefined }, allocateId);
}

type GlobalIdAllocator = (
  object: Pick<WorkspaceObject, "workspace" | "namespace" | "kind" | "id" | "file" | "line">,
) => string;

/**
 * Allocates global ids in the form of references: the short form for the first object with an id,
 * longer ones for the others. Generated ids of layout objects are the same in every file, so the
 * file is added to them.
 */
function createGlobalIdAllocator(): GlobalIdAllocator {
  const taken = new Set<string>();
  return (object) => {
    const { workspace, namespace, kind, id, file, line } = object;
    let name = `${workspace}:${namespace}:${id}`;
    if (taken.has(name)) {
      const longer = [
        ...(isLayout(object) ? [] : [`${workspace}:${namespace}:${kind}:${id}`]),
        `${name}@${file}`,
      ];
      name = longer.find((free) => !taken.has(free)) ?? `${name}@${file}:${line}`;
      while (taken.has(name)) name += "+";
    }
    taken.add(name);
    return name;
  };
}

/** `[[service.operations]]` at the top of a file belongs to `service`, wherever that is. */
function withParents(objects: WorkspaceObject[], diagnostics: Diagnostic[]): WorkspaceObject[] {
  const ids = new Set(objects.map(({ id }) => id));
  return objects.map((object) => {
    const dot = object.id.lastIndexOf(".");
    if (object.parent !== undefined || dot <= 0 || isSystem(object)) return object;
    const parent = object.id.slice(0, dot);
    if (ids.has(parent)) return { ...object, record: withParent(object.record), parent };
    diagnostics.push({
      type: "broken_parent",
      message: `Parent object '${parent}' not found in workspace`,
      file: object.file,
      line: object.line,
      object: object.id,
      severity: "error",
    });
    return object;
  });
}

/** Memoized, so that caches keyed by record stay valid across views. */
const withParent = memoize((record: ParsedObject): ParsedObject => {
  const { id } = recordIdentity(record);
  return new Map(record).set("__parent", referenceTo(id.slice(0, id.lastIndexOf("."))));
});
