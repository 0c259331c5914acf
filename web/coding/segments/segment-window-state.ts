import { signal } from "@preact/signals";

/** The ids of the codings shown in the dialog. */
export const openSegmentIds = signal<readonly number[]>([]);

export function openSegments(ids: readonly number[]): void {
  openSegmentIds.value = ids;
}
