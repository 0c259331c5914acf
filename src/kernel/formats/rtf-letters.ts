/** Bytes of a document as letters, by the table that the document or the font of the moment names. */
export interface BytesReader {
  /** Takes bytes, each as the letter of its number. */
  add(bytes: string): void;
  /** The letters of all bytes since the last time, as a font writes them. */
  taken(font: number): string;
  setFont(font: number, charset: number): void;
  /** The document's own table; false where the word is about something else. */
  setPage(word: string, number: number): boolean;
}

export function bytesReader(): BytesReader {
  const fonts = new Map<number, string>();
  const decoders = new Map<string, InstanceType<typeof TextDecoder>>();
  let page = "windows-1252";
  let bytes = "";
  return {
    add(more) {
      bytes += more;
    },
    taken(font) {
      if (bytes === "") return "";
      const name = fonts.get(font) ?? page;
      const decoder = decoders.get(name) ?? new TextDecoder(name);
      decoders.set(name, decoder);
      const letters = isPlain.test(bytes) ? bytes : decoder.decode(Buffer.from(bytes, "latin1"));
      bytes = "";
      return letters;
    },
    setFont(font, charset) {
      const named = pageOfCharset[charset];
      if (named !== undefined) fonts.set(font, nameOf(named));
    },
    setPage(word, number) {
      if (word === "mac") page = "macintosh";
      else if (word === "ansicpg") page = nameOf(number);
      else return false;
      return true;
    },
  };
}

/** Nearly all text is ASCII, which is the same in every table. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII itself
const isPlain = /^[\u0000-\u007f]*$/;

/** Numbers of Windows' tables that are known elsewhere by a name. */
const names: Record<number, string> = {
  ...{ 932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5" },
  ...{ 866: "ibm866", 10000: "macintosh", 65001: "utf-8" },
};

/** Unknown tables are read as the most common one. */
function nameOf(page: number): string {
  const name = names[page] ?? `windows-${page}`;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return "windows-1252";
  }
}

/** The tables of fonts by the numbers that fonts have for them. */
const pageOfCharset: Record<number, number> = {
  ...{ 77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258 },
  ...{ 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250 },
};
