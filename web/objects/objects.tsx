import "../look/objects.css";
import { go } from "../address.ts";
import { FolderForm } from "../folder-form.tsx";
import { Link, useArrival } from "../link.tsx";
import { Kinds } from "./kinds.tsx";
import { ObjectPage } from "./object.tsx";
import { of, part, path, place, workspaces } from "./place.ts";
import { Problems } from "./problems.tsx";
import { Sql } from "./sql.tsx";
import { Tree } from "./tree.tsx";

const parts = [
  ["", "By namespace"],
  ["files", "By file"],
  ["kinds", "Kinds"],
  ["problems", "Problems"],
  ["sql", "SQL"],
] as const;

/** The typed objects of a workspace: leafed through, looked at, drawn and asked by SQL. */
export default function Objects() {
  const { failure, answer } = workspaces;
  if (failure.value) return <p class="notice">{failure.value}</p>;
  if (!answer.value && !path.value) return <p class="notice">Loading…</p>;
  if (!path.value) return <Choice />;
  return (
    <>
      <Head />
      <Part />
    </>
  );
}

function Part() {
  switch (part.value) {
    case "files":
      return <Tree mode="file" />;
    case "kinds":
      return <Kinds />;
    case "problems":
      return <Problems />;
    case "sql":
      return <Sql />;
    default:
      return of.value ? <ObjectPage /> : <Tree mode="namespace" />;
  }
}

function Head() {
  const all = workspaces.answer.value?.workspaces ?? [];
  const isObject = of.value !== "" && part.value !== "sql";
  const name = path.value.slice(path.value.search(/[^/\\]*$/)) || path.value;
  const heading = useArrival(isObject ? "" : part.value);
  return (
    <header class="workspace">
      <p class="where">
        Workspace <code title={path.value}>{name}</code>
        {all.length > 1 && (
          <>
            {" · "}
            <Link to={{ ...place(), collection: "" }}>Another one</Link>
          </>
        )}
      </p>
      <h2 ref={heading} tabIndex={-1} class="unseen">
        Objects
      </h2>
      <nav class="parts" aria-label="Objects">
        {parts.map(([name, label]) => (
          <Link
            key={name}
            to={place("", name)}
            aria-current={!isObject && part.value === name ? "page" : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
    </header>
  );
}

/** Where there are several workspaces, or none that the server knows of. */
function Choice() {
  const all = workspaces.answer.value?.workspaces ?? [];
  return (
    <section class="choice" aria-labelledby="choice">
      <h2 id="choice">{all.length > 0 ? "Which workspace?" : "No objects yet"}</h2>
      {all.length === 0 && (
        <p>
          Objects are written in files whose names end in <code>.qmd.md</code>: a heading such as{" "}
          <code># Main lamp [[lamp: Lamp]]</code> is one. Take the folder in with{" "}
          <code>lectern collection add</code>, or name it here.
        </p>
      )}
      <ul>
        {all.map((one) => (
          <li key={one.path}>
            <Link to={{ ...place(), collection: one.path }}>{one.path}</Link>
            <p class="about">
              {one.collections.map(({ name }) => name).join(", ") || "the server's own folder"}
            </p>
          </li>
        ))}
      </ul>
      <FolderForm
        label={all.length > 0 ? "Another folder" : "A folder"}
        act="Open"
        choose={(folder) => go({ ...place(), collection: folder })}
      />
    </section>
  );
}
