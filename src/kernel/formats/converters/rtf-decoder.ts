/** Decodes the bytes of a document with the code page of the current font or of the document. */
export interface RtfDecoder {
  /** Adds bytes, as a Latin-1 string. */
  add(bytes: string): void;
  /** Decodes the bytes added since the last call. */
  flush(font: number): string;
  setFont(font: number, charset: number): void;
  /** Sets the document's code page; false if the control word is not about code pages. */
  setCodePage(word: string, number: number): boolean;
}

export function createRtfDecoder(): RtfDecoder {
  const fonts = new Map<number, string>();
  const decoders = new Map<string, InstanceType<typeof TextDecoder>>();
  let codePage = "windows-1252";
  let bytes = "";
  return {
    add(more) {
      bytes += more;
    },
    flush(font) {
      if (bytes === "") return "";
      const name = fonts.get(font) ?? codePage;
      const decoder = decoders.get(name) ?? new TextDecoder(name);
      decoders.set(name, decoder);
      const text = isAscii.test(bytes) ? bytes : decoder.decode(Buffer.from(bytes, "latin1"));
      bytes = "";
      return text;
    },
    setFont(font, charset) {
      const named = codePageOfCharset[charset];
      if (named !== undefined) fonts.set(font, encodingOf(named));
    },
    setCodePage(word, number) {
      if (word === "mac") codePage = "macintosh";
      else if (word === "ansicpg") codePage = encodingOf(number);
      else return false;
      return true;
    },
  };
}

/** A shortcut: nearly all text is ASCII, which is the same in every code page. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII itself
const isAscii = /^[\u0000-\u007f]*$/;

/** Encoding labels of the Windows code pages that are not called `windows-…`. */
const encodingNames: Record<number, string> = {
  ...{ 932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5" },
  ...{ 866: "ibm866", 10000: "macintosh", 65001: "utf-8" },
};

/** The encoding of a code page; the most common one if it is unknown. */
function encodingOf(page: number): string {
  const name = encodingNames[page] ?? `windows-${page}`;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return "windows-1252";
  }
}

/** Code pages by `\fcharset` number. */
const codePageOfCharset: Record<number, number> = {
  ...{ 77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258 },
  ...{ 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250 },
};
