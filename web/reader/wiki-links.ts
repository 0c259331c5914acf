import { computed } from "@preact/signals";
import { anchorNames } from "../../src/text/anchors.ts";
import { type Address, addressWith } from "../address.ts";
import { asking } from "../asking.ts";
import { call } from "../client.ts";
import { openDocument } from "./open-document.ts";

/** The open document, where it may link by names. */
const linking = computed(() => {
  const { file = "", lines = [] } = openDocument.value ?? {};
  return lines.some((line) => line.includes("[[")) ? file : "";
});

const asked = asking((signal) => {
  const file = linking.value;
  if (file === "") return undefined;
  return call("wiki_links", { file }, signal).then(({ links }) => ({
    file,
    meant: new Map(links.map(({ name, file }) => [name, file])),
  }));
});

const meant = computed(() =>
  asked.answer.value?.file === linking.value ? asked.answer.value.meant : undefined,
);

/** Where a wiki link of the open document leads; a place in a text, `#^mark`, is not looked for. */
export function documentOf(destination: string): Address | undefined {
  const file = meant.value?.get(destination);
  if (file === undefined) return undefined;
  const heading = destination.split("#").slice(1).at(-1) ?? "";
  const anchor = heading === "" || heading.startsWith("^") ? "" : anchorNames()(heading.trim());
  return addressWith({ file, line: 1, anchor });
}
