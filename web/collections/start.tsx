import { counted } from "../../src/text/counted.ts";
import { library } from "./library.ts";

/** Before anything is looked for: what there is, or what to do first. */
export function Start() {
  const status = library.answer.value;
  if (library.failure.value) return <p class="notice">{library.failure.value}</p>;
  if (!status) return null;
  if (status.collections.length === 0) return <FirstStep />;
  return (
    <section class="start" aria-labelledby="collections">
      <h2 id="collections">
        {counted(status.totalDocuments, "document")} in{" "}
        {counted(status.collections.length, "collection")}
      </h2>
      <ul>
        {status.collections.map(({ name, path, documents, lastUpdated }) => (
          <li key={name}>
            <span class="name">{name}</span>
            <span class="documents">{counted(documents, "document")}</span>
            <span class="folder">{path}</span>
            <span class="when">{whenOf(lastUpdated)}</span>
          </li>
        ))}
      </ul>
      {status.totalDocuments === 0 && (
        <p class="notice">
          No documents yet. They appear here as soon as they are read; <code>lectern doctor</code>{" "}
          says what is missing.
        </p>
      )}
    </section>
  );
}

function FirstStep() {
  return (
    <section class="first-step" aria-labelledby="first-step">
      <h2 id="first-step">Nothing lies on the lectern yet</h2>
      <p>Give it a folder of documents. At a shell:</p>
      <pre>
        <code>lectern collection add ~/notes</code>
      </pre>
      <p>They stay where they are, and this page fills as they are read.</p>
    </section>
  );
}

/** A collection that was never read has the time zero. */
function whenOf(time: string): string {
  const date = new Date(time);
  if (date.getTime() === 0) return "not read yet";
  return `read ${date.toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}`;
}
