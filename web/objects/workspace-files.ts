import type { Output } from "../server/client.ts";

type Collections = Output<"list_workspaces">["workspaces"][number]["collections"];

/** The document name, `collection/path`, of a workspace file; undefined if it is in no collection. */
export function documentIn(collections: Collections, file: string): string | undefined {
  for (const { name, folder } of collections) {
    const prefix = folder === "" ? "" : `${folder}/`;
    if (file.startsWith(prefix)) return `${name}/${file.slice(prefix.length)}`;
  }
  return undefined;
}

/** The inverse: the workspace file of a document. */
export function fileIn(collections: Collections, document: string): string | undefined {
  const slash = document.indexOf("/");
  const collection = collections.find(({ name }) => name === document.slice(0, slash));
  return collection && [collection.folder, document.slice(slash + 1)].filter(Boolean).join("/");
}
