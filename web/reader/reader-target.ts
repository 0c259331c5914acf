import { computed } from "@preact/signals";
import { address } from "../app/address.ts";
import { previewTarget } from "../search/result-preview.ts";

interface ReaderTarget {
  file: string;
  line: number;
  anchor: string;
  /** Whether it is the preview of a search result, not an opened document. */
  isPreview: boolean;
}

/** The document of the URL, else the focused search result. */
export const readerTarget = computed((): ReaderTarget | undefined => {
  const { view, file, line, anchor } = address.value;
  if (view !== "") return undefined;
  if (file !== "") return { file, line, anchor, isPreview: false };
  return previewTarget.value && { ...previewTarget.value, anchor: "", isPreview: true };
});
