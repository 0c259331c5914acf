/**
 * The SPDX ids of the licences in a text, in the order in which they begin. They are told by
 * sentences that only they have, for many files carry no title; what follows the first is mostly
 * the licence of something that the project carries along.
 */
export function licensesInText(text: string): string[] {
  const plain = flattened(text);
  const found = told.flatMap(([id, sentences]) => {
    const places = sentences.map((sentence) => plain.search(sentence));
    return places.every((place) => place >= 0) ? [{ id, place: places[0] ?? 0 }] : [];
  });
  return [...new Set(found.sort((a, b) => a.place - b.place).map(({ id }) => id))];
}

/** A licence text is told by its first pages; what follows may be a book of notices. */
const longest = 60_000;

/** One line in small letters, so that line breaks, quotes and markup make no difference. */
const flattened = (text: string): string =>
  text
    .slice(0, longest)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.,/+-]+/gu, " ");

/** The more particular come first: the text of LGPL 3 names the GPL, and MIT No Attribution is MIT. */
const told: readonly [string, readonly RegExp[]][] = [
  ["AGPL-3.0", [/gnu affero general public license/, /version 3, 19 november 2007/]],
  ["LGPL-3.0", [/gnu lesser general public license/, /version 3, 29 june 2007/]],
  ["LGPL-2.1", [/gnu lesser general public license/, /version 2\.1, february 1999/]],
  ["LGPL-2.0", [/gnu library general public license/, /version 2, june 1991/]],
  ["GPL-3.0", [/gnu general public license/, /version 3, 29 june 2007/]],
  ["GPL-2.0", [/gnu general public license/, /version 2, june 1991/]],
  ["MPL-2.0", [/mozilla public license,? version 2\.0/]],
  ["MPL-1.1", [/mozilla public license,? version 1\.1/]],
  ["EPL-2.0", [/eclipse public license -? ?v ?2\.0/]],
  ["EPL-1.0", [/eclipse public license -? ?v ?1\.0/]],
  ["EUPL-1.2", [/european union public licen[cs]e v\. ?1\.2/]],
  ["BSL-1.0", [/boost software license - version 1\.0/]],
  ["BUSL-1.1", [/business source license 1\.1/]],
  ["Elastic-2.0", [/elastic license 2\.0/]],
  ["SSPL-1.0", [/server side public license/]],
  ["Artistic-2.0", [/artistic license 2\.0/]],
  ["OFL-1.1", [/sil open font license version 1\.1/]],
  ["GFDL-1.3", [/gnu free documentation license/, /version 1\.3, 3 november 2008/]],
  ["CC0-1.0", [/cc0 1\.0 universal/]],
  ["CC-BY-NC-SA-4.0", [/attribution-noncommercial-sharealike 4\.0 international/]],
  ["CC-BY-NC-4.0", [/attribution-noncommercial 4\.0 international/]],
  ["CC-BY-SA-4.0", [/attribution-sharealike 4\.0 international/]],
  ["CC-BY-SA-2.5", [/attribution-sharealike 2\.5|cc-by-sa ?, v ?2\.5/]],
  ["CC-BY-4.0", [/attribution 4\.0 international/]],
  [
    "Apache-2.0 WITH LLVM-exception",
    [/apache license/, /version 2\.0, january 2004/, /llvm exceptions to the apache 2\.0 license/],
  ],
  [
    "Apache-2.0",
    [/apache license|licenses\/license-2\.0/, /version 2\.0, january 2004|licenses\/license-2\.0/],
  ],
  ["Unlicense", [/this is free and unencumbered software released into the public domain/]],
  ["WTFPL", [/do what the fuck you want to public license/]],
  ["Zlib", [/origin of this software must not be misrepresented/, /altered source versions/]],
  ["PSF-2.0", [/python software foundation license version 2/]],
  [
    "PostgreSQL",
    [
      /permission to use, copy, modify, and distribute this software and its documentation for any purpose, without fee, and without a written agreement/,
    ],
  ],
  [
    "0BSD",
    [
      /permission to use, copy, modify, and/,
      /for any purpose with or without fee is hereby granted\./,
    ],
  ],
  [
    "curl",
    [
      /permission to use, copy, modify, and/,
      /except as contained in this notice, the name of a copyright holder/,
    ],
  ],
  [
    "ISC",
    [
      /permission to use, copy, modify, and/,
      /with or without fee is hereby granted, provided that the above/,
    ],
  ],
  [
    "BSD-4-Clause",
    [/redistribution and use in source and binary forms/, /all advertising materials/],
  ],
  [
    "BSD-3-Clause",
    [/redistribution and use in source and binary forms/, /endorse or promote products/],
  ],
  ["BSD-2-Clause", [/redistribution and use in source and binary forms/]],
  [
    "MIT-0",
    [
      /permission is hereby granted, free of charge/,
      /to whom the software is furnished to do so\. the software is provided/,
    ],
  ],
  ["MIT", [/permission is hereby granted, free of charge, to any person obtaining a copy/]],
  // What stands in a readme or a short notice instead of the text.
  ["MIT", [/^.{0,200}\b(the )?mit licen[cs]e/]],
];

/** A licence that a manifest names, as SPDX writes it; undefined for what names none. */
export function licenseNamed(given: string): string | undefined {
  const name = given.trim().replace(/^\((.*)\)$/, "$1");
  if (name === "" || name.length > 200 || /^(unlicensed|see licen[cs]e|proprietary)/i.test(name)) {
    return undefined;
  }
  // Cargo once wrote a slash for a choice.
  const choice = name.replace(/\s*\/\s*/g, " OR ");
  const parts = choice.split(/\s+(OR|AND|WITH)\s+/);
  if (parts.length > 1 && parts.every((part) => isWord.test(part))) return choice;
  const known = spelled.get(name.toLowerCase());
  if (known !== undefined || /^[\w.]+-[\d.]+-(only|or-later)$/.test(name)) return known ?? name;
  const told = named.find(([, words]) => words.test(name))?.[0];
  return told ?? (isWord.test(name) ? name : undefined);
}

const isWord = /^[\w.+-]+$/;

const spelled = new Map(told.map(([id]) => [id.toLowerCase(), id]));

/** The names that people write, and the classifiers of Python. */
const named: readonly [string, RegExp][] = [
  ["AGPL-3.0-or-later", /affero.*v3 or later/i],
  ["LGPL-3.0-or-later", /lesser.*v3 or later/i],
  ["GPL-3.0-or-later", /general public.*v3 or later/i],
  ["GPL-2.0-or-later", /general public.*v2 or later/i],
  ["AGPL-3.0", /affero|\bAGPL(v|-)?3/i],
  ["LGPL-3.0", /lesser.*3|\bLGPL(v|-)?3/i],
  ["LGPL-2.1", /lesser.*2\.1|\bLGPL(v|-)?2\.1/i],
  ["GPL-3.0", /\bGPL(v|-)?\s?3|general public licen[cs]e.*3/i],
  ["GPL-2.0", /\bGPL(v|-)?\s?2|general public licen[cs]e.*2/i],
  ["Apache-2.0", /apache/i],
  ["MPL-2.0", /mozilla public|\bMPL\b/i],
  ["EPL-2.0", /eclipse public.*2/i],
  ["BSD-2-Clause", /2-clause|simplified bsd/i],
  ["BSD-3-Clause", /3-clause|new bsd|modified bsd|::\s*BSD License|^BSD( license)?$/i],
  ["ISC", /\bISC\b/],
  ["Unlicense", /unlicense/i],
  ["PSF-2.0", /python software foundation/i],
  ["MIT", /\bMIT\b|\bExpat\b/i],
];

/**
 * One expression for what several files and a manifest say; `texts` are the licences that each file
 * holds. Texts are the truth; a manifest is believed where it names one of every file, or where no
 * text was known. Several files are a choice, with MIT first as people write it.
 */
export function joinedLicense(
  texts: readonly (readonly string[])[],
  declared: readonly string[],
): string | null {
  const agreeing = declared.find((expression) => {
    const ids = idsIn(expression);
    const isNamed = (id: string) => ids.some((named) => named === id || named.startsWith(`${id}-`));
    return texts.every((found) => found.some(isNamed));
  });
  if (agreeing !== undefined) return agreeing;
  const firsts = [...new Set(texts.flatMap(([first]) => first ?? []))];
  // The lesser licence is a supplement to the other, whose text has to lie beside it.
  const isLesser = firsts.some((id) => id.startsWith("LGPL"));
  const ordered = firsts
    .filter((id) => !(isLesser && id.startsWith("GPL")))
    .sort((a, b) => Number(b === "MIT") - Number(a === "MIT"));
  return ordered.length > 0 ? ordered.join(" OR ") : null;
}

const idsIn = (expression: string): string[] =>
  expression.split(/[\s()]+/).filter((word) => !/^(OR|AND|WITH|)$/.test(word));
