import type { Output } from "./client.ts";

type Collections = Output<"list_workspaces">["workspaces"][number]["collections"];

/** A file of a workspace as a document, `collection/path`; none where no collection holds it. */
export function documentIn(collections: Collections, file: string): string | undefined {
  for (const { name, folder } of collections) {
    const before = folder === "" ? "" : `${folder}/`;
    if (file.startsWith(before)) return `${name}/${file.slice(before.length)}`;
  }
  return undefined;
}

/** The other way: where a document lies in its workspace. */
export function fileIn(collections: Collections, document: string): string | undefined {
  const slash = document.indexOf("/");
  const found = collections.find(({ name }) => name === document.slice(0, slash));
  return found && [found.folder, document.slice(slash + 1)].filter(Boolean).join("/");
}
