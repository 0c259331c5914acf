/** Removes backslash escapes and decodes entities. */
export const unescapeMarkdown = (written: string): string =>
  written.includes("\\") || written.includes("&")
    ? written.replace(
        /\\([!-/:-@[-`{-~])|&(#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi,
        (whole, escaped?: string, entity?: string) =>
          escaped ?? decodeHtmlEntity(entity ?? "") ?? whole,
      )
    : written;

/** Decodes entities only, because HTML has no backslash escapes. */
export const decodeHtmlEntities = (written: string): string =>
  written.includes("&")
    ? written.replace(
        /&(#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi,
        (whole, entity: string) => decodeHtmlEntity(entity) ?? whole,
      )
    : written;

function decodeHtmlEntity(entity: string): string | undefined {
  if (!entity.startsWith("#")) return namedEntities.get(entity);
  const isHex = /^#x/i.test(entity);
  const point = Number.parseInt(entity.slice(isHex ? 2 : 1), isHex ? 16 : 10);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
}

/** The common entities. HTML defines over 2000 more, which are not decoded. */
const namedEntities = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", "\u00a0"],
  ["copy", "©"],
  ["reg", "®"],
  ["trade", "™"],
  ["hellip", "…"],
  ["mdash", "—"],
  ["ndash", "–"],
  ["lsquo", "‘"],
  ["rsquo", "’"],
  ["ldquo", "“"],
  ["rdquo", "”"],
  ["laquo", "«"],
  ["raquo", "»"],
  ["middot", "·"],
  ["bull", "•"],
  ["times", "×"],
  ["larr", "←"],
  ["rarr", "→"],
  ["uarr", "↑"],
  ["darr", "↓"],
  ["auml", "ä"],
  ["ouml", "ö"],
  ["uuml", "ü"],
  ["Auml", "Ä"],
  ["Ouml", "Ö"],
  ["Uuml", "Ü"],
  ["szlig", "ß"],
  ["eacute", "é"],
  ["egrave", "è"],
  ["agrave", "à"],
  ["ccedil", "ç"],
  ["ntilde", "ñ"],
]);
