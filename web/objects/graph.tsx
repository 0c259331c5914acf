import { computed, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { counted } from "../../src/text/counted.ts";
import { asking } from "../asking.ts";
import { call, type Output } from "../client.ts";
import { Link } from "../link.tsx";
import { columnsAround, drawn } from "./drawing.ts";
import { Picture } from "./picture.tsx";
import { of, part, path, place, refOf } from "./place.ts";
import { Way } from "./way.tsx";

/** More would be a thicket; the nearest ones are told first. */
const mostDrawn = 80;

const hops = computed(() => (part.value === "graph-2" ? 2 : 1));

const around = asking((signal) =>
  path.value && of.value && part.value.startsWith("graph")
    ? call(
        "qmdc_traverse_graph",
        {
          path: path.value,
          start_id: of.value,
          direction: "both",
          depth: hops.value,
          limit: mostDrawn,
        },
        signal,
      )
    : undefined,
);

type Node = Output<"qmdc_traverse_graph">["items"][number];

/** Kinds that somebody does not want to see. */
const hidden = signal<ReadonlySet<string>>(new Set());

export function Graph() {
  const found = around.answer.value;
  if (around.failure.value) return <p class="notice">{around.failure.value}</p>;
  const [start] = found?.items ?? [];
  if (!found || !start) return <p class="notice">Loading…</p>;
  const nodes = found.items.filter((node) => node === start || !hidden.value.has(node.kind));
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = found.edges.filter(({ source, target }) => ids.has(source) && ids.has(target));
  return (
    <section class="graph" aria-label="Graph">
      <div class="controls">
        <p class="hops">
          <Link to={place(of.value, "graph")} aria-current={hops.value === 1 ? "true" : undefined}>
            One step
          </Link>
          <Link
            to={place(of.value, "graph-2")}
            aria-current={hops.value === 2 ? "true" : undefined}
          >
            Two steps
          </Link>
        </p>
        <KindFilter kinds={kindsOf(found.items.slice(1))} />
      </div>
      <p role="status" class="notice">
        {`${counted(nodes.length - 1, "object")} around it`}
        {found.remaining ? `; ${found.remaining} further ones are not drawn` : ""}
        {found.edges_remaining ? `; ${found.edges_remaining} connections are not drawn` : ""}
      </p>
      <Drawn start={start} nodes={nodes} edges={edges} />
      <Way />
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
            checked={!hidden.value.has(kind)}
            onChange={(event) => {
              const next = new Set(hidden.value);
              if (event.currentTarget.checked) next.delete(kind);
              else next.add(kind);
              hidden.value = next;
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

function Drawn({ start, nodes, edges }: Part & { start: Node }) {
  const frame = useRef<HTMLElement>(null);
  const connections = edges.map(({ source, target, edge_type }) => ({
    source,
    target,
    words: edge_type,
  }));
  const drawing = drawn(nodes, connections, columnsAround(start.id, connections));
  const { x = 0, y = 0 } = drawing.nodes[0] ?? {};
  // The start is what one came to see, however large the drawing is.
  useEffect(() => {
    const { clientWidth = 0, clientHeight = 0 } = frame.current ?? {};
    frame.current?.scrollTo(x - clientWidth / 3, y - clientHeight / 2);
  }, [start.id, x, y]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key
    <section class="picture" ref={frame} tabIndex={0} aria-label="Drawing">
      <Picture
        name={`What lies around ${start.title}`}
        drawing={drawing}
        show={(node) => ({
          to: place(refOf(node), part.value),
          title: node.title,
          about: node.kind,
          isStart: node === start,
        })}
      />
    </section>
  );
}

/** The same as a list, for whoever would rather read than look. */
function Table({ nodes, edges }: Part) {
  const named = new Map(nodes.map((node) => [node.id, node]));
  const link = (id: string) => {
    const node = named.get(id);
    return node ? <Link to={place(refOf(node), part.value)}>{node.title}</Link> : id;
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
