import type { Database } from "../../kernel/storage/database.ts";
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
  db: Database,
  listing: DocumentListing,
  after: ListPosition | undefined,
  limit: number,
): ListedDocument[] {
  const { direction, tieDirection } = directionsOf(listing);
  return db.all(
    `SELECT documents.id, root, path, hash, size, modified, title,
            ${orderKeys.date} AS date, ${orderKeys[listing.order]} AS key
       ${fromMatching(listing)}
      ORDER BY key ${direction}, root ${tieDirection}, path ${tieDirection} LIMIT ?6`,
    ...boundValues(listing, after),
    limit,
  );
}

export const countDocumentsAfter = (
  db: Database,
  listing: DocumentListing,
  after?: ListPosition,
): number =>
  db.get<{ count: number }>(
    `SELECT count(*) AS count ${fromMatching(listing)}`,
    ...boundValues(listing, after),
  )?.count ?? 0;

function fromMatching(listing: DocumentListing): string {
  const { direction, tieDirection } = directionsOf(listing);
  const key = orderKeys[listing.order];
  const isAfter = { ASC: ">", DESC: "<" };
  return `FROM documents JOIN search_documents ON search_documents.document = documents.id
      WHERE (?1 IS NULL OR root = ?1)
        AND (?2 IS NULL OR documents.id IN (SELECT value FROM json_each(?2)))
        AND (?3 IS NULL OR ${key} ${isAfter[direction]} ?3
             OR (${key} = ?3 AND (root, path) ${isAfter[tieDirection]} (?4, ?5)))`;
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
