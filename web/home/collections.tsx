import { counted } from "../../src/text/counted.ts";
import { screen } from "../address.ts";
import type { Output } from "../client.ts";
import { Link } from "../link.tsx";
import { dateAndTime } from "./time.ts";

export function Collections({ status }: { status: Output<"status"> }) {
  const { collections, totalDocuments } = status;
  return (
    <section class="start" aria-labelledby="collections">
      <h2 id="collections">
        {counted(totalDocuments, "document")} in {counted(collections.length, "collection")}
      </h2>
      <ul>
        {collections.map(({ name, path, documents, lastUpdated }) => (
          <li key={name}>
            <Link class="name" to={{ ...screen(""), collection: name }}>
              {name}
            </Link>
            <span class="documents">{counted(documents, "document")}</span>
            <span class="folder">{path}</span>
            <span class="when">{whenOf(lastUpdated)}</span>
          </li>
        ))}
      </ul>
      {totalDocuments === 0 && (
        <p class="notice">
          No documents yet. They appear here as soon as they are read; <code>lectern doctor</code>{" "}
          says what is missing.
        </p>
      )}
    </section>
  );
}

/** A collection that was never read has the time zero. */
const whenOf = (time: string): string =>
  new Date(time).getTime() === 0 ? "not read yet" : `read ${dateAndTime(time)}`;
