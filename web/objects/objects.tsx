import "../styles/objects.css";
import { navigate } from "../app/address.ts";
import { FolderForm } from "../components/folder-form.tsx";
import { Link, useHeadingFocus } from "../components/link.tsx";
import { MetamodelKinds } from "./metamodel.tsx";
import { ObjectPage } from "./object.tsx";
import {
  objectItem,
  objectsAddress,
  objectsPart,
  objectWorkspaces,
  workspacePath,
} from "./objects-address.ts";
import { Problems } from "./problems.tsx";
import { SqlConsole } from "./sql-console.tsx";
import { Tree } from "./tree.tsx";

const parts = [
  ["", "By namespace"],
  ["files", "By file"],
  ["kinds", "Kinds"],
  ["problems", "Problems"],
  ["sql", "SQL"],
] as const;

/** The typed objects of a workspace: lists, pages, graphs and SQL. */
export default function Objects() {
  const { failure, answer } = objectWorkspaces;
  if (failure.value) return <p class="notice">{failure.value}</p>;
  if (!answer.value && !workspacePath.value) return <p class="notice">Loading…</p>;
  if (!workspacePath.value) return <Choice />;
  return (
    <>
      <Head />
      <Part />
    </>
  );
}

function Part() {
  switch (objectsPart.value) {
    case "files":
      return <Tree mode="file" />;
    case "kinds":
      return <MetamodelKinds />;
    case "problems":
      return <Problems />;
    case "sql":
      return <SqlConsole />;
    default:
      return objectItem.value ? <ObjectPage /> : <Tree mode="namespace" />;
  }
}

function Head() {
  const all = objectWorkspaces.answer.value?.workspaces ?? [];
  const isObject = objectItem.value !== "" && objectsPart.value !== "sql";
  const name =
    workspacePath.value.slice(workspacePath.value.search(/[^/\\]*$/)) || workspacePath.value;
  const heading = useHeadingFocus(isObject ? "" : objectsPart.value);
  return (
    <header class="workspace">
      <p class="where">
        Workspace <code title={workspacePath.value}>{name}</code>
        {all.length > 1 && (
          <>
            {" · "}
            <Link to={{ ...objectsAddress(), collection: "" }}>Change</Link>
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
            to={objectsAddress("", name)}
            aria-current={!isObject && objectsPart.value === name ? "page" : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
    </header>
  );
}

/** Shown when there are several workspaces, or none. */
function Choice() {
  const all = objectWorkspaces.answer.value?.workspaces ?? [];
  return (
    <section class="choice" aria-labelledby="choice">
      <h2 id="choice">{all.length > 0 ? "Choose a workspace" : "No objects yet"}</h2>
      {all.length === 0 && (
        <p>
          Objects are defined in files whose names end in <code>.qmd.md</code>, by headings such as{" "}
          <code># Main lamp [[lamp: Lamp]]</code>. Add their folder with{" "}
          <code>lectern collection add</code>, or enter its path here.
        </p>
      )}
      <ul>
        {all.map(({ path, collections }) => (
          <li key={path}>
            <Link to={{ ...objectsAddress(), collection: path }}>{path}</Link>
            <p class="about">
              {collections.map(({ name }) => name).join(", ") || "the server's folder"}
            </p>
          </li>
        ))}
      </ul>
      <FolderForm
        label={all.length > 0 ? "Another folder" : "Folder"}
        act="Open"
        choose={(folder) => navigate({ ...objectsAddress(), collection: folder })}
      />
    </section>
  );
}
