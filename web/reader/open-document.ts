import { computed, effect, signal } from "@preact/signals";
import { address } from "../address.ts";
import { asking } from "../asking.ts";
import { call } from "../client.ts";
import { documentFrom, mostLines, type OpenDocument } from "./document.ts";

const linesBefore = 500;

const file = computed(() => address.value.file);
const fromLine = computed(() => Math.max(1, address.value.line - linesBefore));

const asked = asking((signal) => {
  const [name, first] = [file.value, fromLine.value];
  if (name === "") return undefined;
  const part = { fromLine: first, maxLines: mostLines, lineNumbers: true };
  return call("get", { file: name, ...part }, signal).then(({ document }) =>
    documentFrom(name, first, document),
  );
});

/** None while the answer is still that of the document before. */
export const openDocument = computed(() =>
  asked.answer.value?.file === file.value ? asked.answer.value : undefined,
);
export const openingFailure = asked.failure;

/** Says that the open document has changed since it was opened, and when; empty otherwise. */
export const changedAt = signal("");

let seen: OpenDocument | undefined;

effect(() => {
  const now = openDocument.value;
  const isSamePart = now?.file === seen?.file && now?.lines[0]?.number === seen?.lines[0]?.number;
  if (!now || !seen || !isSamePart) changedAt.value = "";
  else if (textOf(now) !== textOf(seen)) {
    const time = new Date().toLocaleTimeString([], { timeStyle: "short" });
    changedAt.value = `Changed on disk at ${time}`;
  }
  seen = now;
});

const textOf = ({ lines }: OpenDocument): string => lines.map(({ text }) => text).join("\n");
