/** Text as it is meant: without the backslashes before punctuation, and with entities read. */
export const meant = (written: string): string =>
  written.includes("\\") || written.includes("&")
    ? written.replace(
        /\\([!-/:-@[-`{-~])|&(#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi,
        (whole, escaped?: string, entity?: string) => escaped ?? letterOf(entity ?? "") ?? whole,
      )
    : written;

/** Entities alone, as in HTML, where a backslash is a letter. */
export const withEntities = (written: string): string =>
  written.includes("&")
    ? written.replace(
        /&(#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi,
        (whole, entity: string) => letterOf(entity) ?? whole,
      )
    : written;

function letterOf(entity: string): string | undefined {
  if (!entity.startsWith("#")) return named.get(entity);
  const isHex = /^#x/i.test(entity);
  const point = Number.parseInt(entity.slice(isHex ? 2 : 1), isHex ? 16 : 10);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
}

/** The entities that people write; the other two thousand stay as they are. */
const named = new Map([
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
