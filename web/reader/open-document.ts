import { computed, effect, signal } from "@preact/signals";
import { call } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { type OpenDocument, parseOpenDocument } from "./document-text.ts";
import { readerTarget } from "./reader-target.ts";

const file = computed(() => readerTarget.value?.file ?? "");

const query = createLiveQuery((signal) => {
  const name = file.value;
  if (name === "") return undefined;
  return call("get", { file: name, lineNumbers: true }, signal).then(({ document }) =>
    parseOpenDocument(name, document),
  );
});

/** Undefined while the answer is still that of the previous document. */
export const openDocument = computed(() =>
  query.answer.value?.requestedName === file.value ? query.answer.value : undefined,
);
export const documentFailure = query.failure;

/** A notice with the time of the last change since the document was opened; empty if none. */
export const documentChangeNotice = signal("");

let previous: OpenDocument | undefined;

effect(() => {
  const current = openDocument.value;
  if (!current || current.file !== previous?.file) documentChangeNotice.value = "";
  else if (!isSame(current.lines, previous.lines)) {
    const time = new Date().toLocaleTimeString([], { timeStyle: "short" });
    documentChangeNotice.value = `Changed on disk at ${time}`;
  }
  previous = current;
});

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, index) => line === b[index]);
