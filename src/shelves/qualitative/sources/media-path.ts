/** The types of sources in the founding document. */
export type SourceType = "text" | "audio" | "video" | "image" | "pdf";

/** The folder for the files of each type, and QualCoder's word for it in a media path. */
export const mediaFoldersByType: Record<SourceType, { folder: string; word: string }> = {
  text: { folder: "documents", word: "docs" },
  pdf: { folder: "documents", word: "docs" },
  image: { folder: "images", word: "images" },
  audio: { folder: "audio", word: "audio" },
  video: { folder: "video", word: "video" },
};

/**
 * The type follows from QualCoder's folder, or from the word before the colon for a linked file.
 */
export function sourceTypeOf(mediapath: string | null): SourceType {
  const kind = /^\/?(images|audio|video)[/:]/.exec(mediapath ?? "")?.[1];
  if (kind === "images") return "image";
  if (kind === "audio" || kind === "video") return kind;
  return mediapath?.toLowerCase().endsWith(".pdf") ? "pdf" : "text";
}

/** The file's path, relative to the project's folder or, for a linked file, absolute. */
export function mediaFileOf(mediapath: string | null): string | null {
  if (!mediapath) return null;
  const linked = linkedFileOf(mediapath);
  return linked ?? mediapath.replace(/^\/docs\//, "documents/").replace(/^\//, "");
}

/** A linked file is stored as its type, a colon and its absolute path. */
const linkedFileOf = (mediapath: string): string | undefined =>
  /^(?:docs|images|audio|video):(.+)$/s.exec(mediapath)?.[1];

export const isLinkedMedia = (mediapath: string | null): boolean =>
  linkedFileOf(mediapath ?? "") !== undefined;
