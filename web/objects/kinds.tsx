import { asking } from "../asking.ts";
import { call } from "../client.ts";
import { Link } from "../link.tsx";
import { part, path, place } from "./place.ts";

const metamodel = asking((signal) =>
  path.value && part.value === "kinds"
    ? call("qmdc_describe_metamodel", { path: path.value }, signal)
    : undefined,
);

/** Which kinds of objects there are, and how they connect. */
export function Kinds() {
  const known = metamodel.answer.value;
  if (metamodel.failure.value) return <p class="notice">{metamodel.failure.value}</p>;
  if (!known) return <p class="notice">Loading…</p>;
  return (
    <>
      <table>
        <caption>
          Kinds <span class="count">{known.total_objects} objects</span>
        </caption>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col" class="number">
              Objects
            </th>
            <th scope="col">Fields</th>
          </tr>
        </thead>
        <tbody>
          {known.kinds.map(({ kind, count, fields }) => (
            <tr key={kind}>
              <th scope="row">
                <Link to={place(membersOf(kind), "sql")}>{kind}</Link>
              </th>
              <td class="number">{count}</td>
              <td>
                <ul class="words">
                  {fields.map((field) => (
                    <li key={field}>
                      <code>{field}</code>
                    </li>
                  ))}
                </ul>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <table>
        <caption>
          Connections <span class="count">{known.total_edges}</span>
        </caption>
        <thead>
          <tr>
            <th scope="col">Connection</th>
            <th scope="col" class="number">
              How often
            </th>
          </tr>
        </thead>
        <tbody>
          {known.edge_types.map(({ edge_type, count }) => (
            <tr key={edge_type}>
              <th scope="row">{edge_type}</th>
              <td class="number">{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const membersOf = (kind: string): string =>
  `SELECT __id, __label, __file, data\n  FROM objects\n WHERE __kind = '${kind.replaceAll("'", "''")}'`;
