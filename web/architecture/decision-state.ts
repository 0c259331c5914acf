import { computed } from "@preact/signals";
import { call, type Output } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";
import { architecturePart } from "./architecture-address.ts";

export type Decision = Output<"decision_timeline">["records"][number];

/** Every decision in order of date. */
export const decisions = createLiveQuery((signal) =>
  architecturePart.value === undefined ? undefined : call("decision_timeline", {}, signal),
);

export const decisionsByFile = computed(
  () => new Map(decisions.answer.value?.records.map((record) => [record.file, record])),
);

/** `4. Use one ledger`. */
export const decisionTitle = ({ number, title }: Decision): string =>
  number === null ? title : `${number}. ${title}`;

export const statusOf = ({ status }: Decision): string => status ?? "no status";
