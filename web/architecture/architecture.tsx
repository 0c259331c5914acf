import "../look/architecture.css";
import { Link, useArrival } from "../link.tsx";
import { Checks } from "./checks.tsx";
import { DecisionPage } from "./decision.tsx";
import { Decisions } from "./decisions.tsx";
import { DocumentPage, Documents } from "./documents.tsx";
import { of, part, place } from "./place.ts";
import { Prompts } from "./prompts.tsx";
import { Succession } from "./succession.tsx";
import { Timeline } from "./timeline.tsx";

const parts = [
  ["", "Decisions"],
  ["timeline", "Timeline"],
  ["graph", "Graph"],
  ["checks", "Checks"],
  ["documents", "Guidelines and patterns"],
  ["prompts", "Prompts"],
] as const;

/** What a project has decided and holds itself to, and the prompts that say so to agents. */
export default function Architecture() {
  const now = part.value ?? "";
  const isPage = now.startsWith("decision") || now === "document";
  const heading = useArrival(isPage ? "" : now);
  return (
    <>
      <h2 ref={heading} tabIndex={-1} class="unseen">
        Architecture
      </h2>
      <nav class="parts" aria-label="Architecture">
        {parts.map(([name, label]) => (
          <Link key={name} to={place(name)} aria-current={now === name ? "page" : undefined}>
            {label}
          </Link>
        ))}
      </nav>
      <Part name={now} />
    </>
  );
}

function Part({ name }: { name: string }) {
  if (name.startsWith("decision")) return <DecisionPage key={of.value} />;
  switch (name) {
    case "timeline":
      return <Timeline />;
    case "graph":
      return <Succession />;
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
