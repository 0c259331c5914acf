import { asking } from "../asking.ts";
import { call } from "../client.ts";
import { Link, useArrival } from "../link.tsx";
import { Prose } from "../markdown/prose.tsx";
import { destinationIn } from "./destination.ts";
import { byFile } from "./known-decisions.ts";
import { of, part, place } from "./place.ts";

const listed = asking((signal) =>
  part.value === "documents" ? call("list_architecture", {}, signal) : undefined,
);

const kinds = [
  ["guideline", "Guidelines", "mcp/resources/guidelines"],
  ["pattern", "Patterns", "mcp/resources/patterns"],
] as const;

/** What a project holds itself to. */
export function Documents() {
  const documents = listed.answer.value?.documents;
  if (listed.failure.value) return <p class="notice">{listed.failure.value}</p>;
  if (!documents) return <p class="notice">Loading…</p>;
  return kinds.map(([kind, name, folder]) => {
    const own = documents.filter((document) => document.kind === kind);
    return (
      <section class="documents" key={kind} aria-label={name}>
        <h3>{name}</h3>
        {own.length === 0 && (
          <p class="notice">
            None yet. A Markdown file in <code>{folder}</code> is one.
          </p>
        )}
        <ul>
          {own.map(({ uri, title, modified }) => (
            <li key={uri}>
              <Link to={place("document", uri)}>{title}</Link>
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

const opened = asking((signal) =>
  part.value === "document" && of.value
    ? call("show_architecture", { uri: of.value }, signal).then((document) => ({
        asked: of.peek(),
        ...document,
      }))
    : undefined,
);

/** A guideline or a pattern, to read. */
export function DocumentPage() {
  const document = opened.answer.value;
  const heading = useArrival(document?.uri ?? "");
  if (opened.failure.value) {
    return (
      <>
        <p class="notice">{opened.failure.value}</p>
        <p>
          <Link to={place("documents")}>All guidelines and patterns</Link>
        </p>
      </>
    );
  }
  if (document?.asked !== of.value) return <p class="notice">Loading…</p>;
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
        leadsTo={(written) => destinationIn("", written, byFile.value)}
      />
    </article>
  );
}
