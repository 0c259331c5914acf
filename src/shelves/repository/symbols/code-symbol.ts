/** The kind of a symbol, common to all languages. */
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

/** A public declaration of a file, by the rules of its language. */
export interface CodeSymbol {
  /** In the notation of its language: `Parser.parse`, `Parser::parse`, `Parser#parse`. */
  name: string;
  kind: SymbolKind;
  /** The declaration without its body, one line per overload. */
  signature: string;
  /** 1-based. */
  line: number;
  /** Whether it has a documentation comment. */
  documented: boolean;
  /**
   * A digest of the declaration without its own name, used to recognise renames. Empty if the
   * declaration is too short.
   */
  body: string;
}

/** A symbol with the file that declares it, relative to the repository. */
export interface LocatedSymbol extends CodeSymbol {
  file: string;
}

/** The parts of a qualified name in any language. */
export const splitName = (name: string): string[] => name.split(/\.|::|#/).filter(Boolean);

/** Members are named together with their owner. */
export const isMemberSymbol = ({ kind }: Pick<CodeSymbol, "kind">): boolean =>
  kind === "method" || kind === "property";

/** A unique key of a symbol in a repository. */
export const symbolKey = ({ file, name }: Pick<LocatedSymbol, "file" | "name">): string =>
  `${file}\0${name}`;

/** The name of a symbol's owner; empty for a top-level symbol. */
export function ownerName(name: string): string {
  const end = Math.max(name.lastIndexOf("."), name.lastIndexOf("::"), name.lastIndexOf("#"));
  return name.slice(0, Math.max(end, 0));
}

/** Whether two signatures are equal except for line breaks and trailing commas. */
export const sameSignature = (left: string, right: string): boolean =>
  left === right || normalizeCode(left) === normalizeCode(right);

/** Code without insignificant white space. */
export const normalizeCode = (code: string): string =>
  code
    .replace(/\s+/g, " ")
    .replace(/ ?([^\p{L}\p{N}_$"'` ]) ?/gu, "$1")
    .replace(/,([)\]}>])/g, "$1")
    .trim();
