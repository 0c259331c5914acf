/** A stretch of running text. */
export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong" | "emphasis" | "struck"; inner: Inline[] }
  | { kind: "link"; destination: string; inner: Inline[] }
  /** A picture, by what it shows. */
  | { kind: "picture"; destination: string; text: string }
  /** A typed object that is spoken of, `[[#lamp]]`, or defined here, `[[lamp: Light]]`. */
  | { kind: "object"; id: string; text: string }
  /** A document by its name, `[[Note#Heading|shown]]`. */
  | { kind: "wiki"; destination: string; text: string; written: string }
  | { kind: "note"; label: string }
  | { kind: "break" };
