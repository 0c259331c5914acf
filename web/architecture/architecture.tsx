import "../styles/architecture.css";
import { Link, useHeadingFocus } from "../components/link.tsx";
import { architectureAddress, architectureItem, architecturePart } from "./architecture-address.ts";
import { DocumentPage, Documents } from "./architecture-documents.tsx";
import { Checks } from "./checks.tsx";
import { DecisionPage } from "./decision.tsx";
import { Decisions } from "./decisions.tsx";
import { Prompts } from "./prompts.tsx";
import { SupersessionGraph } from "./supersession-graph.tsx";
import { Timeline } from "./timeline.tsx";

const parts = [
  ["", "Decisions"],
  ["timeline", "Timeline"],
  ["graph", "Graph"],
  ["checks", "Checks"],
  ["documents", "Guidelines and patterns"],
  ["prompts", "Prompts"],
] as const;

/** The decisions, guidelines, patterns and prompts of a project. */
export default function Architecture() {
  const current = architecturePart.value ?? "";
  const isPage = current.startsWith("decision") || current === "document";
  const heading = useHeadingFocus(isPage ? "" : current);
  return (
    <>
      <h2 ref={heading} tabIndex={-1} class="unseen">
        Architecture
      </h2>
      <nav class="parts" aria-label="Architecture">
        {parts.map(([name, label]) => (
          <Link
            key={name}
            to={architectureAddress(name)}
            aria-current={current === name ? "page" : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      <Part name={current} />
    </>
  );
}

function Part({ name }: { name: string }) {
  if (name.startsWith("decision")) return <DecisionPage key={architectureItem.value} />;
  switch (name) {
    case "timeline":
      return <Timeline />;
    case "graph":
      return <SupersessionGraph />;
    case "checks":
      return <Checks />;
    case "documents":
      return <Documents />;
    case "document":
      return <DocumentPage />;
    case "prompts":
      return <Prompts />;
    default:
      return <Decisions />;
  }
}
