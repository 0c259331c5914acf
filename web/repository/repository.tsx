import "../look/repository.css";
import { useEffect } from "preact/hooks";
import { go } from "../address.ts";
import { pressButton } from "../button-keys.ts";
import { FolderForm } from "../folder-form.tsx";
import { Link, useArrival } from "../link.tsx";
import { Analysis } from "./analysis.tsx";
import { Drift } from "./drift.tsx";
import { Freshness } from "./freshness.tsx";
import { Gaps } from "./gaps.tsx";
import { Links } from "./links.tsx";
import { DocumentationMap } from "./map.tsx";
import { part, path, place, repositories } from "./place.ts";

const parts = [
  ["", "Analysis"],
  ["map", "Documentation map"],
  ["gaps", "Gaps"],
  ["drift", "Drift"],
  ["links", "Links"],
  ["freshness", "Freshness"],
] as const;

/** A repository and its documentation: what is there, what is missing, and what is out of date. */
export default function Repository() {
  useEffect(() => {
    const press = (event: KeyboardEvent) => pressButton(event, ".repository");
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  if (!path.value) return <Choice />;
  return (
    <>
      <Head />
      <Part key={path.value} />
    </>
  );
}

function Part() {
  switch (part.value) {
    case "map":
      return <DocumentationMap />;
    case "gaps":
      return <Gaps />;
    case "drift":
      return <Drift />;
    case "links":
      return <Links />;
    case "freshness":
      return <Freshness />;
    default:
      return <Analysis />;
  }
}

function Head() {
  const heading = useArrival(part.value);
  const name = path.value.slice(path.value.search(/[^/\\]*$/)) || path.value;
  return (
    <header>
      <p class="where">
        Repository <code title={path.value}>{name}</code>
        {" · "}
        <Link to={place("", "")}>Another one</Link>
      </p>
      <h2 ref={heading} tabIndex={-1} class="unseen">
        Repository
      </h2>
      <nav class="parts" aria-label="Repository">
        {parts.map(([name, label]) => (
          <Link key={name} to={place(name)} aria-current={part.value === name ? "page" : undefined}>
            {label}
          </Link>
        ))}
      </nav>
    </header>
  );
}

const origins = {
  root: "where the server was started",
  collection: "holds a collection",
  analysed: "looked at before",
};

function Choice() {
  const all = repositories.answer.value ?? [];
  return (
    <section class="choice" aria-labelledby="choice">
      <h2 id="choice">Which repository?</h2>
      <p>
        Choose a folder with code and documentation. Nothing in it is run or changed; you see what
        it holds, what its pages leave out, and what they say that the code no longer does.
      </p>
      <p role="status" class="failure">
        {repositories.failure.value}
      </p>
      <ul>
        {all.map((one) => (
          <li key={one.path}>
            <Link to={place("", one.path)}>{one.name || one.path}</Link>
            <p class="about">
              <span>{one.path}</span>
              <span>{origins[one.origin]}</span>
            </p>
          </li>
        ))}
      </ul>
      <FolderForm
        label="Another folder"
        act="Look at it"
        choose={(folder) => go(place("", folder))}
      />
    </section>
  );
}
