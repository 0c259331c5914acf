import type { SqlPart } from "../../../kernel/sql/dataset.ts";
import { groupBy } from "../../../text/arrays/group-by.ts";
import { createGraph, type ObjectGraph } from "../references/graph.ts";
import { followReferences, type Occurrence } from "../references/occurrences.ts";
import { createReferenceResolver, type ReferenceResolver } from "../references/resolver.ts";
import { buildObjectSqlParts } from "../sql-tables.ts";
import { type Diagnostic, sortDiagnostics } from "./diagnostic.ts";
import { buildHierarchy, type ObjectHierarchy } from "./hierarchy.ts";
import type { ParsedWorkspace } from "./workspace.ts";
import type { WorkspaceObject } from "./workspace-object.ts";

/** A snapshot of a workspace. Derived data is computed on first use. */
export interface WorkspaceView extends ParsedWorkspace, ObjectHierarchy {
  readonly root: string;
  readonly resolver: ReferenceResolver;
  readonly graph: ObjectGraph;
  /** All objects, sorted by global id. */
  readonly sortedObjects: readonly WorkspaceObject[];
  /** All diagnostics, by file and line. */
  readonly allDiagnostics: readonly Diagnostic[];
  /** The rows for SQL queries. */
  readonly sqlParts: ReadonlyMap<string, SqlPart>;
  /** All references, including broken ones. */
  readonly occurrences: readonly Occurrence[];
  objectsIn(file: string): readonly WorkspaceObject[];
  occurrencesIn(file: string): readonly Occurrence[];
  /** Computes a value once per view and name. */
  memoize<Value>(name: string, make: () => Value): Value;
  /** The references to an object. */
  occurrencesOf(object: WorkspaceObject): readonly Occurrence[];
}

export function createWorkspaceView(root: string, workspace: ParsedWorkspace): WorkspaceView {
  const { objects, diagnostics } = workspace;
  const resolver = lazy(() => createReferenceResolver(objects));
  const links = lazy(() => followReferences(objects, resolver()));
  const graph = lazy(() => createGraph(links().edges));
  const sortedObjects = lazy(() => [...objects].sort((a, b) => (a.globalId < b.globalId ? -1 : 1)));
  const allDiagnostics = lazy(() => sortDiagnostics([...diagnostics, ...links().diagnostics]));
  const sqlParts = lazy(() => buildObjectSqlParts(objects, links().edges));
  const occurrencesByTarget = lazy(() =>
    groupBy(links().occurrences, ({ target }) => target?.globalId),
  );
  const hierarchy = lazy(() => buildHierarchy(objects));
  const occurrencesByFile = lazy(() => groupBy(links().occurrences, ({ source }) => source.file));
  const byFile = lazy(() => groupBy(objects, ({ file }) => file));
  const computed = new Map<string, { value: unknown }>();
  return {
    root,
    ...workspace,
    get resolver() {
      return resolver();
    },
    get graph() {
      return graph();
    },
    get sortedObjects() {
      return sortedObjects();
    },
    get allDiagnostics() {
      return allDiagnostics();
    },
    get sqlParts() {
      return sqlParts();
    },
    get occurrences() {
      return links().occurrences;
    },
    occurrencesIn: (file) => occurrencesByFile().get(file) ?? [],
    objectsIn: (file) => byFile().get(file) ?? [],
    memoize: (name, make) => {
      const known = computed.get(name) ?? { value: make() };
      computed.set(name, known);
      // Each name is used by one caller, so the type is that of its `make`.
      return known.value as ReturnType<typeof make>;
    },
    occurrencesOf: ({ globalId }) => occurrencesByTarget().get(globalId) ?? [],
    parentOf: (object) => hierarchy().parentOf(object),
    childrenOf: (object) => hierarchy().childrenOf(object),
  };
}

function lazy<Value>(make: () => Value): () => Value {
  let computed: { value: Value } | undefined;
  return () => {
    computed ??= { value: make() };
    return computed.value;
  };
}
