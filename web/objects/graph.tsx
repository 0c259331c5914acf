import { computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { pluralise } from "../../src/text/strings/pluralise.ts";
import { Link } from "../components/link.tsx";
import { call, type Output } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { columnsAround, layoutGraph } from "./graph-layout.ts";
import { GraphSvg } from "./graph-svg.tsx";
import {
  objectItem,
  objectRefOf,
  objectsAddress,
  objectsPart,
  workspacePath,
} from "./objects-address.ts";
import { ShortestPath } from "./shortest-path.tsx";

/** A larger graph is unreadable. The server lists the nearest nodes first. */
const maxDrawnNodes = 80;

const hops = computed(() => (objectsPart.value === "graph-2" ? 2 : 1));

const neighbourhood = createLiveQuery((signal) =>
  workspacePath.value && objectItem.value && objectsPart.value.startsWith("graph")
    ? call(
        "qmdc_traverse_graph",
        {
          path: workspacePath.value,
          start_id: objectItem.value,
          direction: "both",
          depth: hops.value,
          limit: maxDrawnNodes,
        },
        signal,
      )
    : undefined,
);

type Node = Output<"qmdc_traverse_graph">["items"][number];

const hiddenKinds = signal<ReadonlySet<string>>(new Set());

export function Graph() {
  const graph = neighbourhood.answer.value;
  if (neighbourhood.failure.value) return <p class="notice">{neighbourhood.failure.value}</p>;
  const [start] = graph?.items ?? [];
  if (!graph || !start) return <p class="notice">Loading…</p>;
  const nodes = graph.items.filter((node) => node === start || !hiddenKinds.value.has(node.kind));
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = graph.edges.filter(({ source, target }) => ids.has(source) && ids.has(target));
  return (
    <section class="graph" aria-label="Graph">
      <div class="controls">
        <p class="hops">
          <Link
            to={objectsAddress(objectItem.value, "graph")}
            aria-current={hops.value === 1 ? "true" : undefined}
          >
            One step
          </Link>
          <Link
            to={objectsAddress(objectItem.value, "graph-2")}
            aria-current={hops.value === 2 ? "true" : undefined}
          >
            Two steps
          </Link>
        </p>
        <KindFilter kinds={kindsOf(graph.items.slice(1))} />
      </div>
      <p role="status" class="notice">
        {pluralise(nodes.length - 1, "connected object")}
        {graph.remaining ? `; ${graph.remaining} more not drawn` : ""}
        {graph.edges_remaining ? `; ${graph.edges_remaining} connections not drawn` : ""}
      </p>
      <Diagram start={start} nodes={nodes} edges={edges} />
      <ShortestPath />
      <Table nodes={nodes} edges={edges} />
    </section>
  );
}

const kindsOf = (nodes: readonly Node[]): string[] =>
  [...new Set(nodes.map(({ kind }) => kind))].sort();

function KindFilter({ kinds }: { kinds: readonly string[] }) {
  return (
    <fieldset class="filter-kinds">
      <legend>Kinds</legend>
      {kinds.map((kind) => (
        <label key={kind}>
          <input
            type="checkbox"
            checked={!hiddenKinds.value.has(kind)}
            onChange={(event) => {
              const next = new Set(hiddenKinds.value);
              if (event.currentTarget.checked) next.delete(kind);
              else next.add(kind);
              hiddenKinds.value = next;
            }}
          />
          {kind}
        </label>
      ))}
    </fieldset>
  );
}

type Edge = Output<"qmdc_traverse_graph">["edges"][number];

interface Part {
  nodes: readonly Node[];
  edges: readonly Edge[];
}

function Diagram({ start, nodes, edges }: Part & { start: Node }) {
  const frame = useRef<HTMLElement>(null);
  const connections = edges.map(({ source, target, edge_type }) => ({
    source,
    target,
    label: edge_type,
  }));
  const drawing = layoutGraph(nodes, connections, columnsAround(start.id, connections));
  const { x = 0, y = 0 } = drawing.nodes[0] ?? {};
  // Scroll a large drawing to the start node.
  useEffect(() => {
    const { clientWidth = 0, clientHeight = 0 } = frame.current ?? {};
    frame.current?.scrollTo(x - clientWidth / 3, y - clientHeight / 2);
  }, [start.id, x, y]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs keyboard access
    <section class="picture" ref={frame} tabIndex={0} aria-label="Diagram">
      <GraphSvg
        name={`Objects connected with ${start.title}`}
        drawing={drawing}
        show={(node) => ({
          to: objectsAddress(objectRefOf(node), objectsPart.value),
          title: node.title,
          about: node.kind,
          isStart: node === start,
        })}
      />
    </section>
  );
}

/** The same connections as a table. */
function Table({ nodes, edges }: Part) {
  const nodesById = new Map(nodes.map((node) => [node.id, node]));
  const link = (id: string) => {
    const node = nodesById.get(id);
    return node ? (
      <Link to={objectsAddress(objectRefOf(node), objectsPart.value)}>{node.title}</Link>
    ) : (
      id
    );
  };
  return (
    <table>
      <caption>Connections</caption>
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col">Connection</th>
          <th scope="col">To</th>
        </tr>
      </thead>
      <tbody>
        {edges.map(({ source, target, edge_type, source_field }) => (
          <tr key={`${source} ${source_field} ${edge_type} ${target}`}>
            <td>{link(source)}</td>
            <td>{edge_type}</td>
            <td>{link(target)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
