import { basename } from "node:path/posix";
import { referencedId, referenceTo } from "../../text/objects/ids.ts";
import type { ParsedObject } from "../../text/objects/parse.ts";
import type { ObjectPlace } from "../../text/objects/places.ts";
import { numeral, type Value } from "../../text/objects/value.ts";
import type { Complaint } from "./complaint.ts";
import { remembered } from "./remembered.ts";
import { type Home, type ParsedFile, surveyed } from "./territory.ts";
import { duplicates, misplacedWorkspace, parsingComplaints } from "./workspace-complaints.ts";
import {
  isFolderKind,
  isLayout,
  isSystem,
  lineOf,
  numberIn,
  textIn,
  type WorkspaceObject,
} from "./workspace-object.ts";
import { anchorFile } from "./workspace-root.ts";

/** Everything below a root, each object in its place. */
export interface Workspace {
  /** Of the only workspace there is; null where there are several, or none that is right. */
  readonly id: string | null;
  readonly files: readonly string[];
  readonly objects: readonly WorkspaceObject[];
  /** What shows before any reference is followed. */
  readonly complaints: readonly Complaint[];
}

/** Where nobody declared a workspace, the whole is one, called as its folder. */
export function assemble(folderName: string, files: readonly ParsedFile[]): Workspace {
  const territory = surveyed(files);
  const complaints = [...territory.complaints];
  const placed: Placed[] = [];
  const kept: string[] = [];
  let isMisplaced = false;
  for (const file of files) {
    const { path, objects, places } = file;
    const home = territory.homeOf(path);
    if (!home) continue;
    const placeOf = placesByObject(places);
    kept.push(path);
    for (const complaint of parsingComplaints(file)) complaints.push(complaint);
    for (const record of objects) {
      const kind = textIn(record, "__kind");
      if (kind === "__ParsingError") continue;
      if (kind === "__Workspace" && basename(path) !== anchorFile) {
        isMisplaced = true;
        complaints.push(misplacedWorkspace(record, path));
      } else placed.push({ record, file: path, home, place: placeOf.get(record) });
    }
  }
  const isVirtual = territory.workspaces.length === 0 && !isMisplaced && kept.length > 0;
  const names = nameGiver();
  const objects = isVirtual ? [virtualWorkspace(folderName, names)] : [];
  for (const one of placed) {
    const home = isVirtual ? { ...one.home, workspace: folderName } : one.home;
    objects.push(inPlace({ ...one, home }, names));
  }
  const [only, ...others] = territory.workspaces;
  return {
    id: isVirtual ? folderName : others.length === 0 ? (only ?? null) : null,
    files: kept,
    objects: withParents(objects, complaints),
    complaints: [...complaints, ...duplicates(objects)],
  };
}

/** A record, where it was found and where it belongs. */
interface Placed {
  record: ParsedObject;
  file: string;
  home: Home;
  place: ObjectPlace | undefined;
}

function inPlace({ record, file, home, place }: Placed, names: NameGiver): WorkspaceObject {
  const { id, localId, kind, label, line, level, parent } = selfOf(record);
  const workspace = kind === "__Workspace" ? "" : home.workspace;
  const namespace = isFolderKind(kind) ? "" : home.namespace;
  const globalId = names({ workspace, namespace, kind, id, file, line });
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
    place,
    globalId,
  };
}

/** What an object says about itself, wherever it is. */
const selfOf = remembered((record: ParsedObject) => {
  const parent = textIn(record, "__parent");
  return {
    id: textIn(record, "__id") ?? "",
    localId: textIn(record, "__local_id"),
    kind: textIn(record, "__kind") ?? "__Object",
    label: textIn(record, "__label"),
    line: lineOf(record),
    level: numberIn(record, "__level"),
    parent: parent === undefined ? undefined : (referencedId(parent) ?? parent),
  };
});

const placesByObject = remembered(
  (places: readonly ObjectPlace[]) => new Map(places.map((place) => [place.object, place])),
);

function virtualWorkspace(name: string, names: NameGiver): WorkspaceObject {
  const record: ParsedObject = new Map<string, Value>([
    ["__id", name],
    ["__kind", "__Workspace"],
    ["name", name],
    ["__line", numeral(1)],
  ]);
  const home = { workspace: "", namespace: "" };
  return inPlace({ record, file: "", home, place: undefined }, names);
}

type NameGiver = (
  object: Pick<WorkspaceObject, "workspace" | "namespace" | "kind" | "id" | "file" | "line">,
) => string;

/**
 * Global ids as a reference could name the object: the short form for the first, the longer ones
 * for those that share its id. Ids that were made up for layout are the same in every file, so
 * those are told apart by the file.
 */
function nameGiver(): NameGiver {
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
function withParents(objects: WorkspaceObject[], complaints: Complaint[]): WorkspaceObject[] {
  const ids = new Set(objects.map(({ id }) => id));
  return objects.map((object) => {
    const dot = object.id.lastIndexOf(".");
    if (object.parent !== undefined || dot <= 0 || isSystem(object)) return object;
    const parent = object.id.slice(0, dot);
    if (ids.has(parent)) return { ...object, record: withParent(object.record), parent };
    complaints.push({
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

/** The same record for the same one, so that who knows it by itself knows it in every view. */
const withParent = remembered((record: ParsedObject): ParsedObject => {
  const { id } = selfOf(record);
  return new Map(record).set("__parent", referenceTo(id.slice(0, id.lastIndexOf("."))));
});
