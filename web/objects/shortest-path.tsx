import { signal } from "@preact/signals";
import { Link } from "../components/link.tsx";
import { call } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import {
  objectItem,
  objectRefOf,
  objectsAddress,
  objectsPart,
  workspacePath,
} from "./objects-address.ts";

/** The target of the path. */
const end = signal("");

const shortestPath = createLiveQuery((signal) =>
  workspacePath.value && objectItem.value && end.value && objectsPart.value.startsWith("graph")
    ? call(
        "qmdc_find_path",
        { path: workspacePath.value, from_id: objectItem.value, to_id: end.value },
        signal,
      )
    : undefined,
);

/** The shortest path from the current object to another one. */
export function ShortestPath() {
  const path = shortestPath.answer.value;
  return (
    <section class="way" aria-label="Path to another object">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          end.value = String(new FormData(event.currentTarget).get("end") ?? "").trim();
        }}
      >
        <label>
          Shortest path to
          <input
            name="end"
            type="text"
            maxLength={4_096}
            spellcheck={false}
            autocapitalize="off"
            placeholder="Id of an object"
            defaultValue={end.value}
          />
        </label>
        <button type="submit">Find</button>
      </form>
      <p role="status" class="notice">
        {shortestPath.failure.value ?? ""}
      </p>
      {path && (
        <ol class="steps">
          {path.nodes.map((node, index) => (
            <li key={node.id}>
              {index > 0 && <span class="by">{arrowOf(path.edges[index - 1], node.id)}</span>}
              <Link to={objectsAddress(objectRefOf(node), objectsPart.value)}>{node.title}</Link>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** The label of a step; a path may follow an edge in either direction. */
function arrowOf(edge: { target: string; edge_type: string } | undefined, to: string): string {
  if (!edge) return "";
  return edge.target === to ? `${edge.edge_type} →` : `← ${edge.edge_type}`;
}
