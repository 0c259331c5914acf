import { frontmatterLength } from "./frontmatter.ts";

/**
 * The language that a document is written in, as its two letters: `de`, `ja`. A script that one
 * language alone has tells it; in Latin letters the small words do. Undefined where too little is
 * written to tell. It is asked of every document, so it looks at the beginning and guesses nothing.
 */
export function languageOf(lines: readonly string[]): string | undefined {
  const start = beginning(lines);
  return languageOfScript(start) ?? languageOfWords(start);
}

/** The beginning of a text tells its language as well as the whole. */
const mostLetters = 1_000;

function beginning(lines: readonly string[]): string {
  let text = "";
  for (let at = frontmatterLength(lines); at < lines.length; at++) {
    if (text.length >= mostLetters) break;
    text += `${lines[at]}\n`;
  }
  return text.slice(0, mostLetters).toLowerCase();
}

/** Kana comes before Han, and letters of one language before the script that it shares. */
const scripts: readonly [language: string, letters: RegExp, least: number][] = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 0.1],
  ["ko", /\p{Script=Hangul}/gu, 0.3],
  ["zh", /\p{Script=Han}/gu, 0.2],
  ["uk", /[іїєґ]/gu, 0.02],
  ["ru", /\p{Script=Cyrillic}/gu, 0.3],
  ["th", /\p{Script=Thai}/gu, 0.3],
  ["fa", /[پچژگ]/gu, 0.02],
  ["ar", /\p{Script=Arabic}/gu, 0.3],
  ["he", /\p{Script=Hebrew}/gu, 0.3],
  ["el", /\p{Script=Greek}/gu, 0.3],
  ["hi", /\p{Script=Devanagari}/gu, 0.3],
];

function languageOfScript(text: string): string | undefined {
  if (!/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(text)) return undefined;
  const letters = count(text, /\p{L}/gu);
  return scripts.find(([, own, least]) => count(text, own) > letters * least)?.[0];
}

const count = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0;

/**
 * The most frequent small words of each language; those of several count for each of them. Single
 * letters are left out, since programs are full of them.
 */
const smallWords: Record<string, string> = {
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

const languagesOf = new Map<string, string[]>();
for (const [language, words] of Object.entries(smallWords)) {
  for (const word of words.split(" ")) {
    const known = languagesOf.get(word);
    if (known) known.push(language);
    else languagesOf.set(word, [language]);
  }
}

/** Fewer small words than this may be names, or words of another language. */
const fewestWords = 4;

/** The language with most of them; where two have as many, nobody can tell. */
function languageOfWords(text: string): string | undefined {
  const votes = new Map<string, number>();
  for (const word of text.match(/\p{L}{2,}/gu) ?? []) {
    for (const language of languagesOf.get(word) ?? []) {
      votes.set(language, (votes.get(language) ?? 0) + 1);
    }
  }
  const [first, second] = [...votes].sort(([, a], [, b]) => b - a);
  if (!first || first[1] < fewestWords) return undefined;
  return first[1] > (second?.[1] ?? 0) ? first[0] : undefined;
}
