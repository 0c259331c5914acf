import { computed } from "@preact/signals";
import { type Address, address, screen } from "../address.ts";

/** The part of the screen that is seen; undefined while another screen is. */
export const part = computed(() =>
  address.value.view === "architecture" ? address.value.part : undefined,
);

/** The file of a decision, the address of a document or the name of a prompt. */
export const of = computed(() => (part.value === undefined ? "" : address.value.of));

export const place = (part = "", of = ""): Address => screen("architecture", of, part);

/** A decision; at a line of its text, where one is meant. */
export const decisionAt = (file: string, line?: number): Address =>
  place(line === undefined ? "decision" : `decision-${line}`, file);
