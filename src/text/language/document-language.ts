import { frontmatterLength } from "../markdown/frontmatter.ts";

/**
 * Detects the language of a document as an ISO 639-1 code, such as `de` or `ja`: by script, or by
 * the most frequent function words in Latin script. Undefined if the text is too short or
 * ambiguous. Runs on every document, so it reads only the beginning.
 */
export function documentLanguageOf(lines: readonly string[]): string | undefined {
  const start = sampleOf(lines);
  return languageByScript(start) ?? languageByWords(start);
}

const maxSampleLength = 1_000;

function sampleOf(lines: readonly string[]): string {
  let text = "";
  for (let at = frontmatterLength(lines); at < lines.length; at++) {
    if (text.length >= maxSampleLength) break;
    text += `${lines[at]}\n`;
  }
  return text.slice(0, maxSampleLength).toLowerCase();
}

/**
 * The minimum share of a language's letters among all letters. Order matters: Japanese (kana)
 * before Chinese, and languages with distinctive letters before others of the same script.
 */
const scripts: readonly [language: string, letters: RegExp, minShare: number][] = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/u, 0.1],
  ["ko", /\p{Script=Hangul}/u, 0.3],
  ["zh", /\p{Script=Han}/u, 0.2],
  ["uk", /[іїєґ]/u, 0.02],
  ["ru", /\p{Script=Cyrillic}/u, 0.3],
  ["th", /\p{Script=Thai}/u, 0.3],
  ["fa", /[پچژگ]/u, 0.02],
  ["ar", /\p{Script=Arabic}/u, 0.3],
  ["he", /\p{Script=Hebrew}/u, 0.3],
  ["el", /\p{Script=Greek}/u, 0.3],
  ["hi", /\p{Script=Devanagari}/u, 0.3],
];

function languageByScript(text: string): string | undefined {
  if (!/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(text)) return undefined;
  const counts = new Array<number>(scripts.length).fill(0);
  let letters = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    at += code > 0xffff ? 2 : 1;
    const bits = scriptBits[code] || computeScriptBits(code);
    if (bits & letterBit) letters++;
    const found = bits & (letterBit - 1);
    for (let index = 0; found >> index > 0; index++) {
      if (found & (1 << index)) counts[index] = (counts[index] ?? 0) + 1;
    }
  }
  return scripts.find(([, , minShare], index) => (counts[index] ?? 0) > letters * minShare)?.[0];
}

/**
 * By character of the BMP, computed on first use: one bit for each of the scripts that it belongs to,
 * one for letters, and one that marks it as computed. Testing all classes for every character of a
 * library takes long.
 */
const scriptBits = new Uint16Array(0x10000);
const letterBit = 1 << scripts.length;
const computedBit = letterBit << 1;

function computeScriptBits(code: number): number {
  const char = String.fromCodePoint(code);
  let bits = computedBit | (/\p{L}/u.test(char) ? letterBit : 0);
  for (const [index, [, letters]] of scripts.entries()) if (letters.test(char)) bits |= 1 << index;
  if (code < scriptBits.length) scriptBits[code] = bits;
  return bits;
}

/**
 * The most frequent function words of each language. A word may count for several languages.
 * Single letters are left out, because they are common in code.
 */
const functionWordsByLanguage: Record<string, string> = {
  en: "the of and to in is that for it with as on be this by are or an from at you can not if when use",
  de: "der die das und in den von zu mit sich des auf für ist im dem nicht ein eine als auch wird oder wie",
  fr: "de la le les et des en un une du dans est pour que qui sur au avec par plus ne pas ce ou vous",
  es: "de la que el en los del se las por un para con no una su al es lo como más si",
  it: "di il la che in un per del non con una si da le al della come sono nel alla dei anche",
  pt: "de que do da em um para com não uma os no se na por mais as dos como ou ao",
  nl: "de het een en van in is dat op te voor met zijn niet aan er om ook als of bij door wordt naar dit",
  sv: "och att det som en på är av för med den till inte om ett har de kan eller från vid var",
  da: "og at det en den til er som på de med af for ikke der et kan har om vi eller ved fra",
  nb: "og det er på til som en for med at av ikke den har de et om kan fra eller ved også",
  pl: "na do się nie to jest że jak po od za dla przez oraz są lub który co tym",
  cs: "na se je že to do pro jako ale by nebo jsou které který při není od za",
  ro: "de și în la cu pe un din care nu este sunt pentru prin mai să ce sau al fi ca",
  tr: "ve bir bu için ile da de olarak olan gibi daha çok en ne ya kadar her veya değil ise sonra",
  fi: "ja on ei se että oli hän joka mutta ovat kun niin kuin tai jos voi sen myös mukaan tämä",
  hu: "az és hogy nem is egy van meg ez de csak már azt vagy mint volt el ha kell lehet",
  id: "yang dan di dengan untuk dari ini pada itu tidak dalam adalah akan ke atau oleh dapat juga",
};

const languagesByWord = new Map<string, string[]>();
for (const [language, words] of Object.entries(functionWordsByLanguage)) {
  for (const word of words.split(" ")) {
    const languages = languagesByWord.get(word);
    if (languages) languages.push(language);
    else languagesByWord.set(word, [language]);
  }
}

/** Fewer function words than this may be names or words of another language. */
const minWords = 4;

/** The language with the most function words; undefined on a tie. */
function languageByWords(text: string): string | undefined {
  const votes = new Map<string, number>();
  for (const word of text.match(/\p{L}{2,}/gu) ?? []) {
    for (const language of languagesByWord.get(word) ?? []) {
      votes.set(language, (votes.get(language) ?? 0) + 1);
    }
  }
  const [first, second] = [...votes].sort(([, a], [, b]) => b - a);
  if (!first || first[1] < minWords) return undefined;
  return first[1] > (second?.[1] ?? 0) ? first[0] : undefined;
}
