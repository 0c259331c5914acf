import { Link, useHeadingFocus } from "../components/link.tsx";
import { Prose } from "../markdown/prose.tsx";
import { call } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { architectureAddress, architectureItem, architecturePart } from "./architecture-address.ts";
import { resolveDecisionLink } from "./decision-links.ts";
import { decisionsByFile } from "./decision-state.ts";

const listed = createLiveQuery((signal) =>
  architecturePart.value === "documents" ? call("list_architecture", {}, signal) : undefined,
);

const kinds = [
  ["guideline", "Guidelines", "mcp/resources/guidelines"],
  ["pattern", "Patterns", "mcp/resources/patterns"],
] as const;

/** The guidelines and patterns of the project. */
export function Documents() {
  const documents = listed.answer.value?.documents;
  if (listed.failure.value) return <p class="notice">{listed.failure.value}</p>;
  if (!documents) return <p class="notice">Loading…</p>;
  return kinds.map(([kind, name, folder]) => {
    const ofKind = documents.filter((document) => document.kind === kind);
    return (
      <section class="documents" key={kind} aria-label={name}>
        <h3>{name}</h3>
        {ofKind.length === 0 && (
          <p class="notice">
            None yet. Add a Markdown file to <code>{folder}</code>.
          </p>
        )}
        <ul>
          {ofKind.map(({ uri, title, modified }) => (
            <li key={uri}>
              <Link to={architectureAddress("document", uri)}>{title}</Link>
              <p class="about">
                <code>{uri}</code>
                <span>
                  changed {new Date(modified).toLocaleDateString([], { dateStyle: "medium" })}
                </span>
              </p>
            </li>
          ))}
        </ul>
      </section>
    );
  });
}

const opened = createLiveQuery((signal) =>
  architecturePart.value === "document" && architectureItem.value
    ? call("show_architecture", { uri: architectureItem.value }, signal).then((document) => ({
        requestedUri: architectureItem.peek(),
        ...document,
      }))
    : undefined,
);

/** The text of a guideline or a pattern. */
export function DocumentPage() {
  const document = opened.answer.value;
  const heading = useHeadingFocus(document?.uri ?? "");
  if (opened.failure.value) {
    return (
      <>
        <p class="notice">{opened.failure.value}</p>
        <p>
          <Link to={architectureAddress("documents")}>All guidelines and patterns</Link>
        </p>
      </>
    );
  }
  if (document?.requestedUri !== architectureItem.value) return <p class="notice">Loading…</p>;
  return (
    <article class="document" aria-labelledby="document">
      <p class="about">
        <span class="status">{document.kind}</span>
        <code>{document.uri}</code>
      </p>
      <h3 id="document" ref={heading} tabIndex={-1}>
        {document.title}
      </h3>
      <Prose
        text={document.text}
        isTitled
        resolveLink={(written) => resolveDecisionLink("", written, decisionsByFile.value)}
      />
    </article>
  );
}
