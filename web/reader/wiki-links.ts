import { computed } from "@preact/signals";
import { createAnchorNamer } from "../../src/text/markdown/heading-anchors.ts";
import { type Address, addressWith } from "../app/address.ts";
import { call } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { openDocument } from "./open-document.ts";

/** The open document, if it may contain wiki links. */
const linkingFile = computed(() => {
  const { file = "", lines = [] } = openDocument.value ?? {};
  return lines.some((line) => line.includes("[[")) ? file : "";
});

const query = createLiveQuery((signal) => {
  const file = linkingFile.value;
  if (file === "") return undefined;
  return call("wiki_links", { file }, signal).then(({ links }) => ({
    file,
    targets: new Map(links.map(({ name, file }) => [name, file])),
  }));
});

const targets = computed(() =>
  query.answer.value?.file === linkingFile.value ? query.answer.value.targets : undefined,
);

/** The target of a wiki link. Block references, `#^mark`, open the document at its beginning. */
export function wikiLinkAddress(destination: string): Address | undefined {
  const file = targets.value?.get(destination);
  if (file === undefined) return undefined;
  const heading = destination.split("#").slice(1).at(-1) ?? "";
  const anchor =
    heading === "" || heading.startsWith("^") ? "" : createAnchorNamer()(heading.trim());
  return addressWith({ file, line: 1, anchor });
}
