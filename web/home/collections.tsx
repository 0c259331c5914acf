import { pluralise } from "../../src/text/strings/pluralise.ts";
import { screenAddress } from "../app/address.ts";
import { Link } from "../components/link.tsx";
import type { Output } from "../server/client.ts";
import { dateAndTime } from "./date-format.ts";

export function Collections({ status }: { status: Output<"status"> }) {
  const { collections, totalDocuments } = status;
  return (
    <section class="start" aria-labelledby="collections">
      <h2 id="collections">
        {pluralise(totalDocuments, "document")} in {pluralise(collections.length, "collection")}
      </h2>
      <ul>
        {collections.map(({ name, path, documents, lastUpdated }) => (
          <li key={name}>
            <Link class="name" to={{ ...screenAddress(""), collection: name }}>
              {name}
            </Link>
            <span class="documents">{pluralise(documents, "document")}</span>
            <span class="folder">{path}</span>
            <span class="when">{whenOf(lastUpdated)}</span>
          </li>
        ))}
      </ul>
      {totalDocuments === 0 && (
        <p class="notice">
          No documents yet. They appear here as they are indexed. If none do, run{" "}
          <code>lectern doctor</code>.
        </p>
      )}
    </section>
  );
}

/** The time is zero for a collection that was never indexed. */
const whenOf = (time: string): string =>
  new Date(time).getTime() === 0 ? "not indexed yet" : `indexed ${dateAndTime(time)}`;
