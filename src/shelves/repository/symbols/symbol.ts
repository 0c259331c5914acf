/** What a symbol is, in words that all languages share. */
export type SymbolKind =
  | "function"
  | "class"
  | "struct"
  | "interface"
  | "module"
  | "type"
  | "enum"
  | "method"
  | "property"
  | "constant";

/** Something that others can use of a file, by the rules of its language. */
export interface CodeSymbol {
  /** As its language writes it: `Parser.parse`, `Parser::parse`, `Parser#parse`. */
  name: string;
  kind: SymbolKind;
  /** How it is declared, on one line for each overload, without its body. */
  signature: string;
  /** Counted from one. */
  line: number;
  /** Whether a comment for its users stands with it. */
  documented: boolean;
  /**
   * A digest of the declaration without its own name, by which a renamed one is known again. Empty
   * where it is too short to tell anything.
   */
  body: string;
}

/** A symbol and the file that declares it, relative to the repository. */
export interface PlacedSymbol extends CodeSymbol {
  file: string;
}

/** The steps of a name, however its language joins them. */
export const stepsOf = (name: string): string[] => name.split(/\.|::|#/).filter(Boolean);

/** Members are named together with what they belong to. */
export const isMember = ({ kind }: Pick<CodeSymbol, "kind">): boolean =>
  kind === "method" || kind === "property";

/** What tells a symbol from all others of a repository. */
export const keyOf = ({ file, name }: Pick<PlacedSymbol, "file" | "name">): string =>
  `${file}\0${name}`;

/** The name of what a symbol belongs to; empty where it stands by itself. */
export function ownerNameOf(name: string): string {
  const end = Math.max(name.lastIndexOf("."), name.lastIndexOf("::"), name.lastIndexOf("#"));
  return name.slice(0, Math.max(end, 0));
}

/** Whether two signatures say the same, whatever their line breaks and last commas. */
export const sameSignature = (one: string, other: string): boolean =>
  one === other || compact(one) === compact(other);

/** A text of code without the spaces that mean nothing. */
export const compact = (code: string): string =>
  code
    .replace(/\s+/g, " ")
    .replace(/ ?([^\p{L}\p{N}_$"'` ]) ?/gu, "$1")
    .replace(/,([)\]}>])/g, "$1")
    .trim();
