import { Link } from "../components/link.tsx";
import { call } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { objectsAddress, objectsPart, workspacePath } from "./objects-address.ts";

const metamodel = createLiveQuery((signal) =>
  workspacePath.value && objectsPart.value === "kinds"
    ? call("qmdc_describe_metamodel", { path: workspacePath.value }, signal)
    : undefined,
);

/** The kinds of objects and their connections. */
export function MetamodelKinds() {
  const model = metamodel.answer.value;
  if (metamodel.failure.value) return <p class="notice">{metamodel.failure.value}</p>;
  if (!model) return <p class="notice">Loading…</p>;
  return (
    <>
      <table>
        <caption>
          Kinds <span class="count">{model.total_objects} objects</span>
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
          {model.kinds.map(({ kind, count, fields }) => (
            <tr key={kind}>
              <th scope="row">
                <Link to={objectsAddress(membersOf(kind), "sql")}>{kind}</Link>
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
          Connections <span class="count">{model.total_edges}</span>
        </caption>
        <thead>
          <tr>
            <th scope="col">Connection</th>
            <th scope="col" class="number">
              Count
            </th>
          </tr>
        </thead>
        <tbody>
          {model.edge_types.map(({ edge_type, count }) => (
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
