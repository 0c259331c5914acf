/** Kinds of source, as the founding document names them. */
export type SourceType = "text" | "audio" | "video" | "image" | "pdf";

/** Where a project keeps the files of its sources, and what QualCoder calls the place. */
export const mediaHomes: Record<SourceType, { folder: string; word: string }> = {
  text: { folder: "documents", word: "docs" },
  pdf: { folder: "documents", word: "docs" },
  image: { folder: "images", word: "images" },
  audio: { folder: "audio", word: "audio" },
  video: { folder: "video", word: "video" },
};

/** Sources are known by the folder that QualCoder keeps them in; a linked one has a colon there. */
export function typeOfSource(mediapath: string | null): SourceType {
  const kind = /^\/?(images|audio|video)[/:]/.exec(mediapath ?? "")?.[1];
  if (kind === "images") return "image";
  if (kind === "audio" || kind === "video") return kind;
  return mediapath?.toLowerCase().endsWith(".pdf") ? "pdf" : "text";
}

/** Where the file lies: in the project's folder, or where it was linked from. */
export function fileOfSource(mediapath: string | null): string | null {
  if (!mediapath) return null;
  const linked = linkOf(mediapath);
  return linked ?? mediapath.replace(/^\/docs\//, "documents/").replace(/^\//, "");
}

/** A file that lies elsewhere is named by its kind, a colon and its whole path. */
const linkOf = (mediapath: string): string | undefined =>
  /^(?:docs|images|audio|video):(.+)$/s.exec(mediapath)?.[1];

export const isLinked = (mediapath: string | null): boolean =>
  linkOf(mediapath ?? "") !== undefined;
