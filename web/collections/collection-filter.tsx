import { address, navigate } from "../app/address.ts";
import { libraryStatus } from "./library-status.ts";

/** Selects the collection to search. Each name has its number of documents. */
export function CollectionFilter() {
  const { collections = [], totalDocuments = 0 } = libraryStatus.answer.value ?? {};
  const { query, collection: chosen } = address.value;
  // A removed collection that the URL still names stays in the list, so that it can be deselected.
  const isRemoved = chosen !== "" && !collections.some(({ name }) => name === chosen);
  // Before a search, the list of collections on the start page serves the same purpose.
  const isNeeded = chosen !== "" || (query.trim() !== "" && collections.length > 1);
  if (!isNeeded) return null;
  const choices = [
    { name: "", label: "All", documents: totalDocuments },
    ...collections.map(({ name, documents }) => ({ name, label: name, documents })),
    ...(isRemoved ? [{ name: chosen, label: chosen, documents: 0 }] : []),
  ];
  return (
    <fieldset class="filter">
      <legend class="unseen">Collection</legend>
      {choices.map(({ name, label, documents }) => (
        <label key={name}>
          <input
            class="unseen"
            type="radio"
            name="collection"
            checked={name === chosen}
            onChange={() => navigate({ collection: name }, "replace")}
          />
          {label} <span class="number">{documents}</span>
        </label>
      ))}
    </fieldset>
  );
}
