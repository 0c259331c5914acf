/** A node of inline text. */
export type InlineNode =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong" | "emphasis" | "struck"; inner: InlineNode[] }
  | { kind: "link"; destination: string; inner: InlineNode[] }
  /** An image, with its alternative text. */
  | { kind: "picture"; destination: string; text: string }
  /** A reference to a typed object, `[[#lamp]]`, or its definition, `[[lamp: Light]]`. */
  | { kind: "object"; id: string; text: string }
  /** A link to a document by its name, `[[Note#Heading|shown]]`. */
  | { kind: "wiki"; destination: string; text: string; written: string }
  | { kind: "note"; label: string }
  | { kind: "break" };
