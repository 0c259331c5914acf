import { computed } from "@preact/signals";
import { asking } from "../asking.ts";
import { call, type Output } from "../client.ts";
import { part } from "./place.ts";

export type Decision = Output<"decision_timeline">["records"][number];

/** Every decision in the order of its day; what most of the screen is made of. */
export const decisions = asking((signal) =>
  part.value === undefined ? undefined : call("decision_timeline", {}, signal),
);

export const byFile = computed(
  () => new Map(decisions.answer.value?.records.map((record) => [record.file, record])),
);

/** `4. Use one ledger`. */
export const nameOf = ({ number, title }: Decision): string =>
  number === null ? title : `${number}. ${title}`;

export const statusOf = ({ status }: Decision): string => status ?? "no status";
