import { signal } from "@preact/signals";

/** The codings of the run that was opened, by their numbers. */
export const stack = signal<readonly number[]>([]);

export function openStack(ids: readonly number[]): void {
  stack.value = ids;
}
