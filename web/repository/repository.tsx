import "../styles/repository.css";
import { navigate } from "../app/address.ts";
import { FolderForm } from "../components/folder-form.tsx";
import { Link, useHeadingFocus } from "../components/link.tsx";
import { useButtonShortcuts } from "../keyboard/button-shortcuts.ts";
import { Analysis } from "./analysis.tsx";
import { Drift } from "./drift.tsx";
import { Freshness } from "./freshness.tsx";
import { Gaps } from "./gaps.tsx";
import { Links } from "./links.tsx";
import { DocumentationMap } from "./map.tsx";
import {
  repositories,
  repositoryAddress,
  repositoryPart,
  repositoryPath,
} from "./repository-address.ts";

const parts = [
  ["", "Analysis"],
  ["map", "Documentation map"],
  ["gaps", "Gaps"],
  ["drift", "Drift"],
  ["links", "Links"],
  ["freshness", "Freshness"],
] as const;

/** A repository and its documentation: its content, gaps, drift, broken links and outdated pages. */
export default function Repository() {
  useButtonShortcuts(".repository");
  if (!repositoryPath.value) return <Choice />;
  return (
    <>
      <Head />
      <Part key={repositoryPath.value} />
    </>
  );
}

function Part() {
  switch (repositoryPart.value) {
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
  const heading = useHeadingFocus(repositoryPart.value);
  const name =
    repositoryPath.value.slice(repositoryPath.value.search(/[^/\\]*$/)) || repositoryPath.value;
  return (
    <header>
      <p class="where">
        Repository <code title={repositoryPath.value}>{name}</code>
        {" · "}
        <Link to={repositoryAddress("", "")}>Change</Link>
      </p>
      <h2 ref={heading} tabIndex={-1} class="unseen">
        Repository
      </h2>
      <nav class="parts" aria-label="Repository">
        {parts.map(([name, label]) => (
          <Link
            key={name}
            to={repositoryAddress(name)}
            aria-current={repositoryPart.value === name ? "page" : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
    </header>
  );
}

const origins = {
  root: "working folder of the server",
  collection: "contains a collection",
  analysed: "analysed before",
};

function Choice() {
  const all = repositories.answer.value ?? [];
  return (
    <section class="choice" aria-labelledby="choice">
      <h2 id="choice">Choose a repository</h2>
      <p>
        Choose a folder with code and documentation. Its content, documentation gaps and outdated
        pages are shown here. Nothing in it is run or changed.
      </p>
      <p role="status" class="failure">
        {repositories.failure.value}
      </p>
      <ul>
        {all.map(({ path, name, origin }) => (
          <li key={path}>
            <Link to={repositoryAddress("", path)}>{name || path}</Link>
            <p class="about">
              <span>{path}</span>
              <span>{origins[origin]}</span>
            </p>
          </li>
        ))}
      </ul>
      <FolderForm
        label="Another folder"
        act="Analyse"
        choose={(folder) => navigate(repositoryAddress("", folder))}
      />
    </section>
  );
}
