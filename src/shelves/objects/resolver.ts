import { groupedBy } from "../../text/grouped.ts";
import { referencedId } from "../../text/objects/ids.ts";
import { printJson } from "../../text/objects/json.ts";
import type { Value } from "../../text/objects/value.ts";
import { type Known, prefixesOf, readTarget, type Target } from "./target.ts";
import { fieldsOf, isLayout, type WorkspaceObject } from "./workspace-object.ts";

export type Resolution =
  | { found: "object"; object: WorkspaceObject }
  | { found: "field"; object: WorkspaceObject; field: string; value: Value }
  /** Several objects answer to the name, or an object and a field do. */
  | {
      found: "several";
      by: "id" | "local id" | "field";
      /** By their names, if they are not too many. */
      candidates: string[];
      /** The objects among them, all of them. */
      objects: readonly WorkspaceObject[];
    }
  | { found: "nothing"; meant?: string };

/** From where a reference is read: short names are looked for near by. */
export interface Standpoint {
  workspace: string;
  namespace: string;
  file?: string;
}

/** The one way from a reference to an object, for commands, tools, SQL, graph and complaints. */
export interface Resolver {
  readonly known: Known;
  /** What a reference says, whether it leads somewhere or not. */
  read(reference: string): Target;
  /** All objects that have this id or local id, wherever they are. */
  named(name: string): readonly WorkspaceObject[];
  /** Whether a reference means another thing in another file of its namespace. */
  isOfFile(reference: string): boolean;
  /** Without a standpoint it is a caller who asks, and who may give a global id. */
  resolve(reference: string, from?: Standpoint): Resolution;
}

export function openResolver(
  objects: readonly WorkspaceObject[],
  known: Known = {
    kinds: new Set(objects.map(({ kind }) => kind)),
    namespaces: new Set(objects.map(({ namespace }) => namespace)),
  },
): Resolver {
  const byId = groupedBy(objects, (object) => (isLayout(object) ? undefined : object.id));
  // Every file has blocks of text by the same few ids, and short names mean those of their own file.
  const layout = objects.filter(isLayout);
  const layoutById = groupedBy(layout, ({ id }) => id);
  const layoutByFile = groupedBy(layout, ({ file, id }) => `${file}#${id}`);
  const byLocalId = groupedBy(objects, ({ localId }) => localId);
  const byGlobalId = new Map(objects.map((object) => [object.globalId, object]));
  const read = (reference: string): Target => readTarget(reference, known);

  return {
    known,
    read,
    named: (name) => [...allNamed(name, undefined), ...(byLocalId.get(name) ?? [])],
    isOfFile: (reference) => prefixesOf(read(reference)).some((name) => layoutById.has(name)),
    resolve(reference, from) {
      const exact = from ? undefined : byGlobalId.get(reference);
      if (exact) return { found: "object", object: exact };
      const target = read(reference);
      const object = objectNamed(target, from);
      if (object.found === "several") return object;
      const field = fieldNamed(target, from);
      if (object.found === "nothing") return field ?? { ...object, ...meantBy(target, from) };
      return field?.found === "field" && isAnotherThing(field, object.object)
        ? {
            found: "several",
            by: "field",
            candidates: [describe(object), describe(field)],
            objects: [object.object],
          }
        : object;
    },
  };

  /** By the whole id, near by before far away; then by the local id, near by only. */
  function objectNamed(target: Target, from: Standpoint | undefined): ObjectResolution {
    const named = within(target, from, allNamed(target.path, from));
    const near = named.filter((object) => isNear(object, target, from));
    if (named.length > 0) return oneOf(near.length > 0 ? near : named, "id");
    const local = within(target, from, byLocalId.get(target.path) ?? []);
    return oneOf(
      local.filter((object) => isNear(object, target, from)),
      "local id",
    );
  }

  function allNamed(id: string, from: Standpoint | undefined): readonly WorkspaceObject[] {
    const named = byId.get(id) ?? [];
    const texts = layoutById.get(id);
    if (!texts) return named;
    const near = from?.file === undefined ? texts : layoutByFile.get(`${from.file}#${id}`);
    return near ? [...named, ...near] : named;
  }

  /**
   * `service.config.timeout`: the longest part that is an object, then its field. Of several objects
   * of one id, the one that has the field is meant.
   */
  function fieldNamed(
    target: Target,
    from: Standpoint | undefined,
  ): FieldResolution | SeveralResolution | undefined {
    for (
      let dot = target.path.lastIndexOf(".");
      dot > 0;
      dot = target.path.lastIndexOf(".", dot - 1)
    ) {
      const owner = objectNamed({ ...target, path: target.path.slice(0, dot) }, from);
      if (owner.found === "nothing") continue;
      const field = target.path.slice(dot + 1);
      const owners = owner.found === "object" ? [owner.object] : owner.objects;
      const fields = owners.flatMap((object): FieldResolution[] => {
        const value = valueAt(object, field);
        return value === undefined ? [] : [{ found: "field", object, field, value }];
      });
      if (fields.length < 2) return fields[0];
      return { found: "several", by: "field", candidates: fields.map(describe), objects: owners };
    }
    return undefined;
  }

  /** Where the name is right and only its namespace is missing. */
  function meantBy(target: Target, from: Standpoint | undefined): { meant?: string } {
    const everywhere = { ...target };
    delete everywhere.namespace;
    const others = [
      ...within(everywhere, from, allNamed(target.path, from)),
      ...within(everywhere, from, byLocalId.get(target.path) ?? []),
    ];
    const [only] = others;
    if (others.length !== 1 || !only) return {};
    return { meant: only.namespace ? `${only.namespace}:${target.path}` : only.id };
  }
}

type ObjectResolution = Exclude<Resolution, { found: "field" }>;
type FieldResolution = Extract<Resolution, { found: "field" }>;
type SeveralResolution = Extract<Resolution, { found: "several" }>;

/** Those that a reference does not rule out. */
function within(
  target: Target,
  from: Standpoint | undefined,
  objects: readonly WorkspaceObject[],
): WorkspaceObject[] {
  const workspace = target.workspace ?? from?.workspace;
  return objects.filter(
    (object) =>
      (target.kind === undefined || object.kind === target.kind) &&
      (target.namespace === undefined || isIn(object, target.namespace)) &&
      (!workspace || object.workspace === workspace || isWorkspace(object, workspace)) &&
      (target.file === undefined || isFile(object.file, target.file)),
  );
}

const isWorkspace = ({ kind, id }: WorkspaceObject, name: string): boolean =>
  kind === "__Workspace" && id === name;

/** A namespace lies in itself as well as in the folder above. */
const isIn = (object: WorkspaceObject, namespace: string): boolean =>
  object.namespace === namespace || (object.kind === "__Namespace" && object.id === namespace);

const isNear = (object: WorkspaceObject, target: Target, from: Standpoint | undefined): boolean => {
  const namespace = target.namespace ?? from?.namespace;
  return namespace === undefined || isIn(object, namespace);
};

const isFile = (path: string, named: string): boolean =>
  path === named ||
  path === `${named}.qmd.md` ||
  path.endsWith(`/${named}.qmd.md`) ||
  path.endsWith(`/${named}`);

function oneOf(objects: readonly WorkspaceObject[], by: "id" | "local id"): ObjectResolution {
  const [first, ...others] = objects;
  if (!first) return { found: "nothing" };
  if (others.length === 0) return { found: "object", object: first };
  return { found: "several", by, candidates: namesOf(objects), objects };
}

/** Of more than these nobody reads the names: every file may have its own `notes`. */
const mostNamed = 50;

/** As references must be written to mean each of these objects and no other; of many the first. */
function namesOf(objects: readonly WorkspaceObject[]): string[] {
  if (objects.length > mostNamed) {
    return objects.slice(0, mostNamed).map(({ globalId }) => globalId);
  }
  const shortName = ({ namespace, kind, id }: WorkspaceObject): string =>
    [namespace, kind, id].filter(Boolean).join(":");
  const nameInFile = (object: WorkspaceObject): string => `${object.file}#${shortName(object)}`;
  const names = [shortName, nameInFile].map((nameOf) => ({
    nameOf,
    named: groupedBy(objects, nameOf),
  }));
  return objects.map((object) => {
    const plain = names.find(({ nameOf, named }) => named.get(nameOf(object))?.length === 1);
    return plain?.nameOf(object) ?? object.globalId;
  });
}

/** A field that only points to the object of the same path is that object. */
function isAnotherThing({ value }: FieldResolution, object: WorkspaceObject): boolean {
  const targets = (Array.isArray(value) ? value : [value]).map((item) =>
    typeof item === "string" ? referencedId(item) : undefined,
  );
  return !targets.includes(object.id);
}

const describe = (found: FieldResolution | { found: "object"; object: WorkspaceObject }): string =>
  found.found === "object"
    ? `object with __id '${found.object.id}'`
    : `field '${found.field}' on object '${found.object.id}' (value: ${shown(found.value)})`;

const shown = (value: Value): string => (typeof value === "string" ? value : printJson(value));

/** A field by its name, or inside of a block of YAML or JSON by its path. */
function valueAt({ record }: WorkspaceObject, path: string): Value | undefined {
  let value: Value | undefined = new Map(fieldsOf(record));
  if (value.has(path)) return value.get(path);
  for (const step of path.split(".")) {
    if (!(value instanceof Map)) return undefined;
    value = value.get(step);
  }
  return value;
}
