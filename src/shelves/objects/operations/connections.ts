import * as z from "zod";
import { Failure, invalid } from "../../../kernel/failure.ts";
import { operationsFor } from "../../../kernel/operation.ts";
import { shorten } from "../../../text/strings/shorten.ts";
import { clampLimit, pageByKey, pageByOffset, pageInput, pageOutput } from "../pagination.ts";
import {
  findReachable,
  findShortestPath,
  type GraphDirection,
  type ObjectEdge,
} from "../references/graph.ts";
import type { ObjectsState } from "../state.ts";
import { pathInput, requireObject, requireText } from "../tool-arguments.ts";
import { displayLabel } from "../workspace/object-tree.ts";
import { textField, type WorkspaceObject } from "../workspace/workspace-object.ts";

const operation = operationsFor<ObjectsState>();

const idInput = z.string().max(4_096);

const edgeTypeInput = z.string().max(1_000).optional().describe("Only edges of this type");

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
    "All references to an object: the referring object (file, line, id, kind), and the field, line and columns of each reference.",
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

  async run({ path, id, ...page }, { workspaces }) {
    requireText(id, "id");
    const view = await workspaces.read(path);
    const wanted = requireObject(view, id.trim());
    const { items, pageInfo } = pageByKey(
      view.occurrencesOf(wanted),
      ({ source, line, startCol }) => `${source.globalId} ${line}:${startCol}`,
      page,
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
    return { references, count: references.length, ...pageInfo };
  },
});

const maxDepth = 50;

export const traverseGraph = operation({
  name: "qmdc_traverse_graph",
  title: "Traverse the graph",
  summary: "The objects that an object references, or that reference it, up to a maximum depth.",
  input: z.object({
    path: pathInput,
    start_id: idInput.describe("Id or reference of the start object"),
    direction: z.string().default("outgoing").describe("outgoing, incoming or both"),
    depth: z.int().default(3).describe("Maximum depth, 1 to 50"),
    edge_type: edgeTypeInput,
    ...pageInput,
    edges_cursor: z
      .string()
      .max(8_192)
      .optional()
      .describe("edges_next_cursor of the previous page"),
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

  async run({ path, start_id, direction, depth, edge_type, ...page }, { workspaces }) {
    requireText(start_id, "start_id");
    if (!isDirection(direction)) {
      throw invalid(
        `direction must be 'outgoing', 'incoming', or 'both'; got '${shorten(direction)}'`,
      );
    }
    if (depth < 1 || depth > maxDepth) {
      throw invalid(`depth must be between 1 and ${maxDepth}; got ${depth}`);
    }
    const view = await workspaces.read(path);
    const start = requireObject(view, start_id.trim());
    const { objects, edges } = findReachable(view.graph, start, {
      direction,
      depth,
      type: edge_type,
    });
    const { limit, cursor, edges_cursor } = page;
    const nodes = pageByKey(objects, ({ globalId }) => globalId, { limit, cursor });
    const edgePage = pageByOffset(edges, { limit, cursor: edges_cursor });
    return {
      items: nodes.items.map(toNode),
      limit: clampLimit(limit),
      offset: nodes.offset,
      ...nodes.pageInfo,
      edges: edgePage.items.map(toConnection),
      edges_total: edgePage.pageInfo.total,
      edges_truncated: edgePage.pageInfo.truncated,
      ...(edgePage.pageInfo.truncated && {
        edges_remaining: edgePage.pageInfo.remaining,
        edges_next_cursor: edgePage.pageInfo.next_cursor,
      }),
    };
  },
});

const isDirection = (word: string): word is GraphDirection =>
  word === "outgoing" || word === "incoming" || word === "both";

export const findPath = operation({
  name: "qmdc_find_path",
  title: "Find a path",
  summary: "The shortest path between two objects. Edge directions are ignored.",
  input: z.object({
    path: pathInput,
    from_id: idInput.describe("Id or reference of the first object"),
    to_id: idInput.describe("Id or reference of the last object"),
    edge_type: edgeTypeInput,
  }),
  output: z.object({ nodes: z.array(Node), edges: z.array(Connection), length: z.int() }),
  effect: "reads",
  expose: { mcp: true, cli: "objects path <path> <from_id> <to_id>" },
  example: { path: "catalogue", from_id: "lamp", to_id: "ada" },

  async run({ path, from_id, to_id, edge_type }, { workspaces }) {
    requireText(from_id, "from_id");
    requireText(to_id, "to_id");
    const view = await workspaces.read(path);
    const from = requireObject(view, from_id.trim());
    const to = requireObject(view, to_id.trim());
    const found = findShortestPath(view.graph, from, to, edge_type);
    if (!found) {
      const message = `no path exists between '${from_id.trim()}' and '${to_id.trim()}'`;
      throw new Failure("not-found", "no-path", message);
    }
    const { objects, edges } = found;
    return {
      nodes: objects.map(toNode),
      edges: edges.map(toConnection),
      length: edges.length,
    };
  },
});

const toNode = (object: WorkspaceObject) => ({
  id: object.id,
  kind: object.kind,
  namespace: object.namespace,
  label: textField(object.record, "name") ?? object.id,
  title: displayLabel(object),
  file: object.file,
  line: object.line,
});

const toConnection = ({ source, target, type, field }: ObjectEdge) => ({
  source: source.id,
  target: target.id,
  edge_type: type,
  source_field: field,
});

export const connectionOperations = [findReferences, traverseGraph, findPath];
