import { computed, effect, signal } from "@preact/signals";
import { asking } from "../asking.ts";
import { call } from "../client.ts";
import { documentFrom, type OpenDocument } from "./document.ts";
import { shown } from "./shown.ts";

const file = computed(() => shown.value?.file ?? "");

const asked = asking((signal) => {
  const name = file.value;
  if (name === "") return undefined;
  return call("get", { file: name, lineNumbers: true }, signal).then(({ document }) =>
    documentFrom(name, document),
  );
});

/** None while the answer is still that of the document before. */
export const openDocument = computed(() =>
  asked.answer.value?.asked === file.value ? asked.answer.value : undefined,
);
export const openingFailure = asked.failure;

/** Says that the open document has changed since it was opened, and when; empty otherwise. */
export const changedAt = signal("");

let seen: OpenDocument | undefined;

effect(() => {
  const now = openDocument.value;
  if (!now || now.file !== seen?.file) changedAt.value = "";
  else if (!isSame(now.lines, seen.lines)) {
    const time = new Date().toLocaleTimeString([], { timeStyle: "short" });
    changedAt.value = `Changed on disk at ${time}`;
  }
  seen = now;
});

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((line, at) => line === others[at]);
