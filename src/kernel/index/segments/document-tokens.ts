import type { Lexicon, TokenStream } from "../../../text/search/lexicon.ts";
import { isLinkList } from "../../../text/search/link-lists.ts";
import type { IndexedDocument, Passage } from "../search-index.ts";
import { fieldBits } from "./postings.ts";
import type { FieldTokens } from "./segment-builder.ts";

/** What is indexed of a passage. */
interface PassageTokens {
  passage: Passage;
  /** The tokens of the text, valid until the next passage. */
  body: TokenStream;
  fields: readonly FieldTokens[];
  /** The length of the body by which its frequencies are judged. */
  length: number;
}

/** The passages of a document with their tokens. */
export function* documentTokens(
  lexicon: Lexicon,
  { title, path, passages }: IndexedDocument,
): Generator<PassageTokens> {
  const tokensByField = new Map<string, TokenStream>();
  const fieldTokens = (fieldBit: number, text: string): FieldTokens => {
    const tokens = tokensByField.get(text) ?? copyTokens(lexicon.tokensOf(text));
    tokensByField.set(text, tokens);
    return { fieldBit, tokens };
  };
  const shared = [fieldTokens(fieldBits.path, path), fieldTokens(fieldBits.title, title)];
  for (const passage of passages) {
    const headings = passage.headings.map((text) => fieldTokens(fieldBits.headings, text));
    const body = lexicon.tokensOf(passage.text);
    const length = isLinkList(passage.text) ? body.length * linkListLength : body.length;
    yield { passage, body, fields: [...shared, ...headings], length };
  }
}

/** The lexicon reuses its columns for the next text. */
const copyTokens = ({ ids, marks, length }: TokenStream): TokenStream => ({
  ids: ids.slice(),
  marks: marks.slice(),
  length,
});

/** The words of a "See also" say little: they count as if it were this many times as long. */
const linkListLength = 4;
