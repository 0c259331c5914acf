import * as z from "zod";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { operationsOn } from "../../../kernel/operation.ts";
import { shorten } from "../../../text/shorten.ts";
import { objectNamed, pathInput, said } from "../asked.ts";
import { type Direction, type Edge, pathBetween, reachable } from "../graph.ts";
import { clamped, pageByPlace, pageInput, pageOf, pageOutput } from "../page.ts";
import type { ObjectsState } from "../state.ts";
import { labelOf } from "../tree.ts";
import { textIn, type WorkspaceObject } from "../workspace-object.ts";

const operation = operationsOn<ObjectsState>();

const idInput = z.string().max(4_096);

const edgeTypeInput = z.string().max(1_000).optional().describe("Only connections of this type");

const Node = z.object({
  id: z.string(),
  kind: z.string(),
  namespace: z.string(),
  /** The field `name`, or the id. */
  label: z.string(),
  /** The heading. */
  title: z.string(),
  file: z.string(),
  line: z.int(),
});

const Connection = z.object({
  source: z.string(),
  target: z.string(),
  edge_type: z.string(),
  source_field: z.string(),
});

export const findReferences = operation({
  name: "qmdc_find_references",
  title: "Find references",
  summary:
    "Every place that speaks of an object: the object that does so (file, line, id, kind), with the field, the line and the columns of the reference itself.",
  input: z.object({ path: pathInput, id: idInput.describe("Id or reference"), ...pageInput }),
  output: z.object({
    references: z.array(
      z.object({
        file: z.string(),
        line: z.int(),
        id: z.string(),
        kind: z.string(),
        field: z.string().nullable(),
        reference: z.string(),
        reference_line: z.int(),
        start_col: z.int(),
        end_col: z.int(),
      }),
    ),
    count: z.int(),
    ...pageOutput,
  }),
  effect: "reads",
  expose: { mcp: true, cli: "objects references <path> <id>" },
  example: { path: "catalogue", id: "lamp" },

  async run({ path, id, ...asked }, { workspaces }) {
    said(id, "id");
    const view = await workspaces.at(path);
    const wanted = objectNamed(view, id.trim());
    const { items, cut } = pageOf(
      view.occurrencesOf(wanted),
      ({ source, line, startCol }) => `${source.globalId} ${line}:${startCol}`,
      asked,
    );
    const references = items.map(({ source, field, raw, line, startCol, endCol }) => ({
      file: source.file,
      line: source.line,
      id: source.id,
      kind: source.kind,
      field: field ?? null,
      reference: raw,
      reference_line: line,
      start_col: startCol,
      end_col: endCol,
    }));
    return { references, count: references.length, ...cut };
  },
});

const deepest = 50;

export const traverseGraph = operation({
  name: "qmdc_traverse_graph",
  title: "Traverse the graph",
  summary: "What an object leads to, or what leads to it, within so many steps.",
  input: z.object({
    path: pathInput,
    start_id: idInput.describe("Id or reference to begin at"),
    direction: z.string().default("outgoing").describe("outgoing, incoming or both"),
    depth: z.int().default(3).describe("Steps, 1 to 50"),
    edge_type: edgeTypeInput,
    ...pageInput,
    edges_cursor: z.string().max(8_192).optional().describe("edges_next_cursor of the page before"),
  }),
  output: z.object({
    items: z.array(Node),
    limit: z.int(),
    offset: z.int(),
    ...pageOutput,
    edges: z.array(Connection),
    edges_total: z.int(),
    edges_truncated: z.boolean(),
    edges_remaining: z.int().optional(),
    edges_next_cursor: z.string().optional(),
  }),
  effect: "reads",
  expose: { mcp: true, cli: "objects around <path> <start_id>" },
  example: { path: "catalogue", start_id: "lamp", depth: 1 },

  async run({ path, start_id, direction, depth, edge_type, ...asked }, { workspaces }) {
    said(start_id, "start_id");
    if (!isDirection(direction)) {
      throw invalid(
        `direction must be 'outgoing', 'incoming', or 'both'; got '${shorten(direction)}'`,
      );
    }
    if (depth < 1 || depth > deepest) {
      throw invalid(`depth must be between 1 and ${deepest}; got ${depth}`);
    }
    const view = await workspaces.at(path);
    const start = objectNamed(view, start_id.trim());
    const { objects, edges } = reachable(view.graph, start, { direction, depth, type: edge_type });
    const { limit, cursor, edges_cursor } = asked;
    const nodes = pageOf(objects, ({ globalId }) => globalId, { limit, cursor });
    const walked = pageByPlace(edges, { limit, cursor: edges_cursor });
    return {
      items: nodes.items.map(nodeOf),
      limit: clamped(limit),
      offset: nodes.first,
      ...nodes.cut,
      edges: walked.items.map(connectionOf),
      edges_total: walked.cut.total,
      edges_truncated: walked.cut.truncated,
      ...(walked.cut.truncated && {
        edges_remaining: walked.cut.remaining,
        edges_next_cursor: walked.cut.next_cursor,
      }),
    };
  },
});

const isDirection = (word: string): word is Direction =>
  word === "outgoing" || word === "incoming" || word === "both";

export const findPath = operation({
  name: "qmdc_find_path",
  title: "Find a path",
  summary: "A shortest chain of connections between two objects, whichever way they point.",
  input: z.object({
    path: pathInput,
    from_id: idInput.describe("Where it begins"),
    to_id: idInput.describe("Where it ends"),
    edge_type: edgeTypeInput,
  }),
  output: z.object({ nodes: z.array(Node), edges: z.array(Connection), length: z.int() }),
  effect: "reads",
  expose: { mcp: true, cli: "objects path <path> <from_id> <to_id>" },
  example: { path: "catalogue", from_id: "lamp", to_id: "ada" },

  async run({ path, from_id, to_id, edge_type }, { workspaces }) {
    said(from_id, "from_id");
    said(to_id, "to_id");
    const view = await workspaces.at(path);
    const from = objectNamed(view, from_id.trim());
    const to = objectNamed(view, to_id.trim());
    const found = pathBetween(view.graph, from, to, edge_type);
    if (!found) {
      const message = `no path exists between '${from_id.trim()}' and '${to_id.trim()}'`;
      throw new Failure("not-found", "no-path", message);
    }
    const { objects, edges } = found;
    return {
      nodes: objects.map(nodeOf),
      edges: edges.map(connectionOf),
      length: edges.length,
    };
  },
});

const nodeOf = (object: WorkspaceObject) => ({
  id: object.id,
  kind: object.kind,
  namespace: object.namespace,
  label: textIn(object.record, "name") ?? object.id,
  title: labelOf(object),
  file: object.file,
  line: object.line,
});

const connectionOf = ({ source, target, type, field }: Edge) => ({
  source: source.id,
  target: target.id,
  edge_type: type,
  source_field: field,
});

export const connectionOperations = [findReferences, traverseGraph, findPath];
