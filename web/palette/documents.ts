import { computed, signal } from "@preact/signals";
import { go, screen } from "../address.ts";
import { asking } from "../asking.ts";
import { call } from "../client.ts";
import { openReader } from "../focus.ts";
import { recentDocuments } from "../recent.ts";
import { matching } from "./matching.ts";
import type { Offer } from "./offer.ts";

export const typed = signal("");

/** Signs have a meaning in a query; here they are letters of a name like any other. */
const words = computed(() => typed.value.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);

const mostOffered = 8;

/** A search looks into texts too; so many are asked for that those of the name are among them. */
const asked = asking((signal) => {
  if (words.value.length === 0) return undefined;
  const of = typed.value;
  const query = words.value.map((word) => `${word}*`).join(" ");
  return call("find", { query, limit: 50 }, signal).then(({ results }) => ({ of, results }));
});

/** Whether the answer to what is typed is still on its way. */
export const isAsking = computed(
  () =>
    words.value.length > 0 &&
    asked.failure.value === undefined &&
    asked.answer.value?.of !== typed.value,
);

/** The documents with what is typed in their title or path, save those that were offered before. */
export const documentOffers = computed((): Offer[] => {
  const known = new Set(recentDocuments.all.value.map(({ name }) => name));
  const found = (asked.answer.value?.results ?? [])
    .filter(({ file }) => !known.has(file))
    .map(({ file, title }) => toDocument("Documents", file, title));
  return matching(found, typed.value).slice(0, mostOffered);
});

export const toDocument = (group: string, file: string, title: string): Offer => ({
  group,
  label: title,
  hint: file,
  run() {
    go(screen(""));
    openReader({ file, line: 1 });
  },
});
