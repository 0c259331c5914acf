import { groupBy } from "../../../text/arrays/group-by.ts";
import { referencedId } from "../../../text/objects/ids.ts";
import { formatJson } from "../../../text/objects/values/json.ts";
import type { Value } from "../../../text/objects/values/value.ts";
import { fieldsOf, isLayout, type WorkspaceObject } from "../workspace/workspace-object.ts";
import {
  type KnownNames,
  parseReferenceTarget,
  pathPrefixes,
  type ReferenceTarget,
} from "./reference-target.ts";

export type ReferenceResolution =
  | { found: "object"; object: WorkspaceObject }
  | { found: "field"; object: WorkspaceObject; field: string; value: Value }
  /** Several objects match, or both an object and a field. */
  | {
      found: "ambiguous";
      by: "id" | "local id" | "field";
      /** Unambiguous names of the candidates, unless there are too many. */
      candidates: string[];
      /** All objects among the candidates. */
      objects: readonly WorkspaceObject[];
    }
  | { found: "nothing"; suggestion?: string };

/** Where a reference is written. Short names are resolved in the same namespace first. */
export interface ReferenceScope {
  workspace: string;
  namespace: string;
  file?: string;
}

/** Resolves references for commands, tools, SQL, the graph and diagnostics. */
export interface ReferenceResolver {
  readonly knownNames: KnownNames;
  /** Parses a reference without resolving it. */
  parse(reference: string): ReferenceTarget;
  /** All objects with this id or local id, in any namespace. */
  findByName(name: string): readonly WorkspaceObject[];
  /** Whether the target of a reference depends on the file that contains it. */
  isFileScoped(reference: string): boolean;
  /** Without a scope, the reference comes from a caller and may be a global id. */
  resolve(reference: string, from?: ReferenceScope): ReferenceResolution;
}

export function createReferenceResolver(
  objects: readonly WorkspaceObject[],
  knownNames: KnownNames = {
    kinds: new Set(objects.map(({ kind }) => kind)),
    namespaces: new Set(objects.map(({ namespace }) => namespace)),
  },
): ReferenceResolver {
  const byId = groupBy(objects, (object) => (isLayout(object) ? undefined : object.id));
  // Layout objects have the same ids in every file; short names refer to those of the same file.
  const layout = objects.filter(isLayout);
  const layoutById = groupBy(layout, ({ id }) => id);
  const layoutByFile = groupBy(layout, ({ file, id }) => `${file}#${id}`);
  const byLocalId = groupBy(objects, ({ localId }) => localId);
  const byGlobalId = new Map(objects.map((object) => [object.globalId, object]));
  const parse = (reference: string): ReferenceTarget => parseReferenceTarget(reference, knownNames);

  return {
    knownNames,
    parse,
    findByName: (name) => [...objectsWithId(name, undefined), ...(byLocalId.get(name) ?? [])],
    isFileScoped: (reference) =>
      pathPrefixes(parse(reference)).some((name) => layoutById.has(name)),
    resolve(reference, from) {
      const exact = from ? undefined : byGlobalId.get(reference);
      if (exact) return { found: "object", object: exact };
      const target = parse(reference);
      const object = resolveObject(target, from);
      if (object.found === "ambiguous") return object;
      const field = resolveField(target, from);
      if (object.found === "nothing") return field ?? { ...object, ...suggestFor(target, from) };
      return field?.found === "field" && isDistinctField(field, object.object)
        ? {
            found: "ambiguous",
            by: "field",
            candidates: [describeCandidate(object), describeCandidate(field)],
            objects: [object.object],
          }
        : object;
    },
  };

  /** Resolves by full id, in the same namespace first; then by local id, in the same namespace only. */
  function resolveObject(
    target: ReferenceTarget,
    from: ReferenceScope | undefined,
  ): ObjectResolution {
    const named = filterByTarget(target, from, objectsWithId(target.path, from));
    const near = named.filter((object) => isNear(object, target, from));
    if (named.length > 0) return singleOrAmbiguous(near.length > 0 ? near : named, "id");
    const local = filterByTarget(target, from, byLocalId.get(target.path) ?? []);
    return singleOrAmbiguous(
      local.filter((object) => isNear(object, target, from)),
      "local id",
    );
  }

  function objectsWithId(id: string, from: ReferenceScope | undefined): readonly WorkspaceObject[] {
    const named = byId.get(id) ?? [];
    const texts = layoutById.get(id);
    if (!texts) return named;
    const near = from?.file === undefined ? texts : layoutByFile.get(`${from.file}#${id}`);
    return near ? [...named, ...near] : named;
  }

  /**
   * `service.config.timeout`: the longest prefix that is an object, then its field. Of several
   * objects with that id, the one with the field is chosen.
   */
  function resolveField(
    target: ReferenceTarget,
    from: ReferenceScope | undefined,
  ): FieldResolution | AmbiguousResolution | undefined {
    for (
      let dot = target.path.lastIndexOf(".");
      dot > 0;
      dot = target.path.lastIndexOf(".", dot - 1)
    ) {
      const owner = resolveObject({ ...target, path: target.path.slice(0, dot) }, from);
      if (owner.found === "nothing") continue;
      const field = target.path.slice(dot + 1);
      const owners = owner.found === "object" ? [owner.object] : owner.objects;
      const fields = owners.flatMap((object): FieldResolution[] => {
        const value = valueAt(object, field);
        return value === undefined ? [] : [{ found: "field", object, field, value }];
      });
      if (fields.length < 2) return fields[0];
      return {
        found: "ambiguous",
        by: "field",
        candidates: fields.map(describeCandidate),
        objects: owners,
      };
    }
    return undefined;
  }

  /** Suggests a name with its namespace if the namespace is the only part that is missing or wrong. */
  function suggestFor(
    target: ReferenceTarget,
    from: ReferenceScope | undefined,
  ): { suggestion?: string } {
    const everywhere = { ...target };
    delete everywhere.namespace;
    const others = [
      ...filterByTarget(everywhere, from, objectsWithId(target.path, from)),
      ...filterByTarget(everywhere, from, byLocalId.get(target.path) ?? []),
    ];
    const [only] = others;
    if (others.length !== 1 || !only) return {};
    return { suggestion: only.namespace ? `${only.namespace}:${target.path}` : only.id };
  }
}

type ObjectResolution = Exclude<ReferenceResolution, { found: "field" }>;
type FieldResolution = Extract<ReferenceResolution, { found: "field" }>;
type AmbiguousResolution = Extract<ReferenceResolution, { found: "ambiguous" }>;

/** The objects that match the kind, namespace, workspace and file of a reference. */
function filterByTarget(
  target: ReferenceTarget,
  from: ReferenceScope | undefined,
  objects: readonly WorkspaceObject[],
): WorkspaceObject[] {
  const workspace = target.workspace ?? from?.workspace;
  return objects.filter(
    (object) =>
      (target.kind === undefined || object.kind === target.kind) &&
      (target.namespace === undefined || isInNamespace(object, target.namespace)) &&
      (!workspace || object.workspace === workspace || isWorkspace(object, workspace)) &&
      (target.file === undefined || isFile(object.file, target.file)),
  );
}

const isWorkspace = ({ kind, id }: WorkspaceObject, name: string): boolean =>
  kind === "__Workspace" && id === name;

/** A namespace object is in its own namespace, and in that of its parent folder. */
const isInNamespace = (object: WorkspaceObject, namespace: string): boolean =>
  object.namespace === namespace || (object.kind === "__Namespace" && object.id === namespace);

const isNear = (
  object: WorkspaceObject,
  target: ReferenceTarget,
  from: ReferenceScope | undefined,
): boolean => {
  const namespace = target.namespace ?? from?.namespace;
  return namespace === undefined || isInNamespace(object, namespace);
};

const isFile = (path: string, named: string): boolean =>
  path === named ||
  path === `${named}.qmd.md` ||
  path.endsWith(`/${named}.qmd.md`) ||
  path.endsWith(`/${named}`);

function singleOrAmbiguous(
  objects: readonly WorkspaceObject[],
  by: "id" | "local id",
): ObjectResolution {
  const [first, ...others] = objects;
  if (!first) return { found: "nothing" };
  if (others.length === 0) return { found: "object", object: first };
  return { found: "ambiguous", by, candidates: disambiguatedNames(objects), objects };
}

/** With more candidates, only their global ids are listed, because finding short names is slow. */
const maxNamedCandidates = 50;

/** The shortest unambiguous references to these objects. */
function disambiguatedNames(objects: readonly WorkspaceObject[]): string[] {
  if (objects.length > maxNamedCandidates) {
    return objects.slice(0, maxNamedCandidates).map(({ globalId }) => globalId);
  }
  const shortName = ({ namespace, kind, id }: WorkspaceObject): string =>
    [namespace, kind, id].filter(Boolean).join(":");
  const nameInFile = (object: WorkspaceObject): string => `${object.file}#${shortName(object)}`;
  const names = [shortName, nameInFile].map((nameOf) => ({
    nameOf,
    named: groupBy(objects, nameOf),
  }));
  return objects.map((object) => {
    const plain = names.find(({ nameOf, named }) => named.get(nameOf(object))?.length === 1);
    return plain?.nameOf(object) ?? object.globalId;
  });
}

/** False for a field whose value is a reference to the object with the same path. */
function isDistinctField({ value }: FieldResolution, object: WorkspaceObject): boolean {
  const targets = (Array.isArray(value) ? value : [value]).map((item) =>
    typeof item === "string" ? referencedId(item) : undefined,
  );
  return !targets.includes(object.id);
}

const describeCandidate = (
  found: FieldResolution | { found: "object"; object: WorkspaceObject },
): string =>
  found.found === "object"
    ? `object with __id '${found.object.id}'`
    : `field '${found.field}' on object '${found.object.id}' (value: ${formatValue(found.value)})`;

const formatValue = (value: Value): string =>
  typeof value === "string" ? value : formatJson(value);

/** The value of a field by name, or by a path within YAML or JSON data. */
function valueAt({ record }: WorkspaceObject, path: string): Value | undefined {
  let value: Value | undefined = new Map(fieldsOf(record));
  if (value.has(path)) return value.get(path);
  for (const step of path.split(".")) {
    if (!(value instanceof Map)) return undefined;
    value = value.get(step);
  }
  return value;
}
