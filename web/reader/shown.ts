import { computed } from "@preact/signals";
import { address } from "../address.ts";
import { previewed } from "../search/preview.ts";

interface Shown {
  file: string;
  line: number;
  anchor: string;
  /** Looked at from the list, and not opened. */
  isPreview: boolean;
}

/** What the reader shows: the document of the address, or else the one that the list is at. */
export const shown = computed((): Shown | undefined => {
  const { view, file, line, anchor } = address.value;
  if (view !== "") return undefined;
  if (file !== "") return { file, line, anchor, isPreview: false };
  return previewed.value && { ...previewed.value, anchor: "", isPreview: true };
});
