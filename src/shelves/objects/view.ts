import type { SqlPart } from "../../kernel/sql/set.ts";
import { groupedBy } from "../../text/grouped.ts";
import { type Belonging, readBelonging } from "./belonging.ts";
import { type Complaint, inReadingOrder } from "./complaint.ts";
import { followed, type Occurrence } from "./following.ts";
import { type Graph, makeGraph } from "./graph.ts";
import { sqlPartsOf } from "./lent.ts";
import { openResolver, type Resolver } from "./resolver.ts";
import type { Workspace } from "./workspace.ts";
import type { WorkspaceObject } from "./workspace-object.ts";

/** A workspace at one moment, with what follows from it, made when it is first asked for. */
export interface View extends Workspace, Belonging {
  readonly root: string;
  readonly resolver: Resolver;
  readonly graph: Graph;
  /** All objects by their global ids. */
  readonly inOrder: readonly WorkspaceObject[];
  /** Everything that is wrong, in reading order. */
  readonly allComplaints: readonly Complaint[];
  /** The rows that SQL reads. */
  readonly sqlParts: ReadonlyMap<string, SqlPart>;
  /** Every place where an object speaks of another, or tries to. */
  readonly occurrences: readonly Occurrence[];
  objectsIn(file: string): readonly WorkspaceObject[];
  occurrencesIn(file: string): readonly Occurrence[];
  /** Works something out about this view once, by its name. */
  once<Value>(name: string, make: () => Value): Value;
  /** Where an object is spoken of. */
  occurrencesOf(object: WorkspaceObject): readonly Occurrence[];
}

export function makeView(root: string, workspace: Workspace): View {
  const { objects, complaints } = workspace;
  const resolver = once(() => openResolver(objects));
  const links = once(() => followed(objects, resolver()));
  const graph = once(() => makeGraph(links().edges));
  const inOrder = once(() => [...objects].sort((a, b) => (a.globalId < b.globalId ? -1 : 1)));
  const allComplaints = once(() => inReadingOrder([...complaints, ...links().complaints]));
  const sqlParts = once(() => sqlPartsOf(objects, links().edges));
  const spoken = once(() => groupedBy(links().occurrences, ({ target }) => target?.globalId));
  const belonging = once(() => readBelonging(objects));
  const spokenIn = once(() => groupedBy(links().occurrences, ({ source }) => source.file));
  const byFile = once(() => groupedBy(objects, ({ file }) => file));
  const made = new Map<string, { value: unknown }>();
  return {
    root,
    ...workspace,
    get resolver() {
      return resolver();
    },
    get graph() {
      return graph();
    },
    get inOrder() {
      return inOrder();
    },
    get allComplaints() {
      return allComplaints();
    },
    get sqlParts() {
      return sqlParts();
    },
    get occurrences() {
      return links().occurrences;
    },
    occurrencesIn: (file) => spokenIn().get(file) ?? [],
    objectsIn: (file) => byFile().get(file) ?? [],
    once: (name, make) => {
      const known = made.get(name) ?? { value: make() };
      made.set(name, known);
      // Whoever asks by this name has made it.
      return known.value as ReturnType<typeof make>;
    },
    occurrencesOf: ({ globalId }) => spoken().get(globalId) ?? [],
    parentOf: (object) => belonging().parentOf(object),
    childrenOf: (object) => belonging().childrenOf(object),
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
