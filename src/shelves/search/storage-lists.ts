import { all, get, inNumbers, type Steps } from "../../kernel/storage/steps.ts";
import type { TitledDocument } from "./storage.ts";

export const listOrders = ["path", "name", "date"] as const;

/** Which documents to list, and in which order. */
export interface DocumentListing {
  root: string | undefined;
  /** The ids to choose from; all documents if undefined. */
  documents: readonly number[] | undefined;
  order: (typeof listOrders)[number];
  isReversed: boolean;
}

export type ListedDocument = TitledDocument & {
  /** The date in the front matter, or else the modification time, in milliseconds. */
  date: number;
  key: string | number;
};

/** The position after a document of the list. */
export type ListPosition = readonly [key: string | number, root: string, path: string];

const orderKeys = {
  path: "''",
  // The file name, since `rtrim` removes all characters after the last slash.
  name: "lower(substr(path, length(rtrim(path, replace(path, '/', ''))) + 1))",
  date: "coalesce(date, modified)",
};

export function listDocumentsAfter(
  listing: DocumentListing,
  after: ListPosition | undefined,
  limit: number,
): Steps<ListedDocument[]> {
  const { direction, tieDirection } = directionsOf(listing);
  return all(
    `SELECT documents.id, root, path, hash, size, modified, title,
            ${orderKeys.date} AS date, ${orderKeys[listing.order]} AS key
       ${fromMatching(listing)}
      ORDER BY key ${direction}, root ${tieDirection}, path ${tieDirection} LIMIT ?6`,
    ...boundValues(listing, after),
    limit,
  );
}

export function* countDocumentsAfter(
  listing: DocumentListing,
  after?: ListPosition,
): Steps<number> {
  const row = yield* get<{ count: number }>(
    `SELECT count(*) AS count ${fromMatching(listing)}`,
    ...boundValues(listing, after),
  );
  return row?.count ?? 0;
}

function fromMatching(listing: DocumentListing): string {
  const { direction, tieDirection } = directionsOf(listing);
  const key = orderKeys[listing.order];
  const isAfter = { ASC: ">", DESC: "<" };
  return `FROM documents JOIN search_documents ON search_documents.document = documents.id
      WHERE (root = ?1 OR ?1 IS NULL)
        AND (documents.id ${inNumbers("?2")} OR ?2 IS NULL)
        AND (${key} ${isAfter[direction]} ?3
             OR (${key} = ?3 AND (root, path) ${isAfter[tieDirection]} (?4, ?5)) OR ?3 IS NULL)`;
}

/** The newest come first; documents of the same date stay in the order of their paths. */
function directionsOf({ order, isReversed }: DocumentListing) {
  const direction = (order === "date") === isReversed ? "ASC" : "DESC";
  return { direction, tieDirection: order === "date" ? "ASC" : direction } as const;
}

const boundValues = ({ root, documents }: DocumentListing, after: ListPosition | undefined) =>
  [
    root ?? null,
    documents ? JSON.stringify(documents) : null,
    after?.[0] ?? null,
    after?.[1] ?? null,
    after?.[2] ?? null,
  ] as const;
