/** A stretch of running text. */
export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong" | "emphasis"; inner: Inline[] }
  | { kind: "link"; destination: string; inner: Inline[] };

/** What is longer is no paragraph that somebody wrote, and is shown as it is. */
const longest = 20_000;
const deepest = 6;

const signs = new RegExp(
  [
    /\\(?<escaped>[!-/:-@[-`{-~])/u,
    /(?<ticks>`+)(?!`)(?<code>[^`]+)\k<ticks>(?!`)/u,
    /!?\[(?<words>[^\][]*)\]\(\s*<?(?<destination>[^()\s<>]*)>?(?:\s+"[^"]*")?\s*\)/u,
    /<(?<address>https?:\/\/[^\s<>]+)>/u,
    /(?<two>\*\*|__)(?=\S)(?<strong>(?:(?!\k<two>).)+)(?<=\S)\k<two>/u,
    /(?<![\p{L}\p{N}])(?<one>[*_])(?=[^\s*_])(?<weak>[^*_]+)(?<=\S)\k<one>(?![\p{L}\p{N}])/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gsu",
);

export function inlineOf(text: string, depth = 0): Inline[] {
  if (text.length > longest || depth > deepest) return [{ kind: "text", text }];
  const parts: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(signs)) {
    if (match.index > at) parts.push({ kind: "text", text: text.slice(at, match.index) });
    parts.push(partOf(match.groups ?? {}, depth + 1));
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ kind: "text", text: text.slice(at) });
  return parts;
}

function partOf(found: Record<string, string | undefined>, depth: number): Inline {
  const { escaped, code, words, destination, address, strong, weak } = found;
  if (escaped !== undefined) return { kind: "text", text: escaped };
  if (code !== undefined) return { kind: "code", text: code.trim() };
  if (strong !== undefined) return { kind: "strong", inner: inlineOf(strong, depth) };
  if (weak !== undefined) return { kind: "emphasis", inner: inlineOf(weak, depth) };
  const leadsTo = address ?? destination ?? "";
  return { kind: "link", destination: leadsTo, inner: inlineOf(words || leadsTo, depth) };
}
