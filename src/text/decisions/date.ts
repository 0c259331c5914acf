const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Parses a date to ISO form; null if there is none, or if day and month are ambiguous. */
export function parseRecordDate(source: string): string | null {
  const text = source.slice(0, 100);
  const iso = /\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(text);
  if (iso) return calendarDate(iso[1], iso[2], iso[3]);
  const dayFirst = /\b(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3,9})\.?,?[ -](\d{4})\b/i.exec(text);
  if (dayFirst) return calendarDate(dayFirst[3], monthNamed(dayFirst[2]), dayFirst[1]);
  const monthFirst = /\b([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b/i.exec(text);
  if (monthFirst) return calendarDate(monthFirst[3], monthNamed(monthFirst[1]), monthFirst[2]);
  const dotted = /\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/.exec(text);
  return dotted ? calendarDate(dotted[3], dotted[2], dotted[1]) : null;
}

const monthNamed = (name = ""): string =>
  String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1);

/** `2023`, `2`, `1` → `2023-02-01`; null for a date that does not exist. */
export function calendarDate(year = "", month = "", day = ""): string | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const date = new Date(Date.UTC(y, m - 1, d));
  const isReal = date.getUTCFullYear() === y && date.getUTCMonth() === m - 1;
  return isReal && date.getUTCDate() === d && y >= 1900 ? date.toISOString().slice(0, 10) : null;
}
