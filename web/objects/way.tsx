import { signal } from "@preact/signals";
import { asking } from "../asking.ts";
import { call } from "../client.ts";
import { Link } from "../link.tsx";
import { of, part, path, place, refOf } from "./place.ts";

/** The object that a way is looked for to. */
const end = signal("");

const way = asking((signal) =>
  path.value && of.value && end.value && part.value.startsWith("graph")
    ? call("qmdc_find_path", { path: path.value, from_id: of.value, to_id: end.value }, signal)
    : undefined,
);

/** A shortest way from here to another object. */
export function Way() {
  const found = way.answer.value;
  return (
    <section class="way" aria-label="Way to another object">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          end.value = String(new FormData(event.currentTarget).get("end") ?? "").trim();
        }}
      >
        <label>
          Shortest way to
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
        {way.failure.value ?? ""}
      </p>
      {found && (
        <ol class="steps">
          {found.nodes.map((node, at) => (
            <li key={node.id}>
              {at > 0 && <span class="by">{arrowOf(found.edges[at - 1], node.id)}</span>}
              <Link to={place(refOf(node), part.value)}>{node.title}</Link>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** A way may be walked against the arrows. */
function arrowOf(edge: { target: string; edge_type: string } | undefined, to: string): string {
  if (!edge) return "";
  return edge.target === to ? `${edge.edge_type} →` : `← ${edge.edge_type}`;
}
