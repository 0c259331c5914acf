import { address, go } from "../address.ts";
import { library } from "./library.ts";

/** Which collection is searched. Counts stand beside the names, so the shape of the library shows. */
export function CollectionFilter() {
  const { collections = [], totalDocuments = 0 } = library.answer.value ?? {};
  const { query, collection: chosen } = address.value;
  // A collection that the address names and the library has lost can still be left.
  const isLost = chosen !== "" && !collections.some(({ name }) => name === chosen);
  // Before a search, the list of collections says the same and more.
  const isNeeded = chosen !== "" || (query.trim() !== "" && collections.length > 1);
  if (!isNeeded) return null;
  const choices = [
    { name: "", label: "All", documents: totalDocuments },
    ...collections.map(({ name, documents }) => ({ name, label: name, documents })),
    ...(isLost ? [{ name: chosen, label: chosen, documents: 0 }] : []),
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
            onChange={() => go({ collection: name }, "replace")}
          />
          {label} <span class="number">{documents}</span>
        </label>
      ))}
    </fieldset>
  );
}
