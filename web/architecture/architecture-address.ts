import { computed } from "@preact/signals";
import { type Address, address, screenAddress } from "../app/address.ts";

/** The visible tab; undefined while another screen is open. */
export const architecturePart = computed(() =>
  address.value.view === "architecture" ? address.value.part : undefined,
);

/** The file of a decision, the URI of a document or the name of a prompt. */
export const architectureItem = computed(() =>
  architecturePart.value === undefined ? "" : address.value.item,
);

export const architectureAddress = (part = "", of = ""): Address =>
  screenAddress("architecture", of, part);

/** The page of a decision, optionally at a line of its text. */
export const decisionAddress = (file: string, line?: number): Address =>
  architectureAddress(line === undefined ? "decision" : `decision-${line}`, file);
