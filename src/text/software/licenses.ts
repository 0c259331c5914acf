import { elementAt } from "../arrays/element-at.ts";

/**
 * Detects the SPDX ids of the licences in a text by characteristic sentences, because many licence
 * files have no title. Sorted by position; the ids after the first mostly apply to bundled code.
 */
export function detectLicenses(text: string): string[] {
  const plain = normaliseText(text);
  const matches = licenseTextPatterns.flatMap(([id, sentences]) => {
    const offsets = sentences.map((sentence) => plain.search(sentence));
    return offsets.every((offset) => offset >= 0) ? [{ id, offset: elementAt(offsets, 0) }] : [];
  });
  return [...new Set(matches.sort((a, b) => a.offset - b.offset).map(({ id }) => id))];
}

/** Only this much is read: long files are collections of third-party notices. */
const maxTextLength = 60_000;

/** Removes case, line breaks, quotes and markup. */
const normaliseText = (text: string): string =>
  text
    .slice(0, maxTextLength)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.,/+-]+/gu, " ");

/** Specific licences first: the LGPL 3 text mentions the GPL, and MIT-0 matches MIT. */
const licenseTextPatterns: readonly [string, readonly RegExp[]][] = [
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
  // A mention in a readme or a short notice.
  ["MIT", [/^.{0,200}\b(the )?mit licen[cs]e/]],
];

/** Converts the licence field of a manifest to SPDX; undefined if it names no licence. */
export function toSpdxExpression(declared: string): string | undefined {
  const name = declared.trim().replace(/^\((.*)\)$/, "$1");
  if (name === "" || name.length > 200 || /^(unlicensed|see licen[cs]e|proprietary)/i.test(name)) {
    return undefined;
  }
  // Cargo formerly used a slash for OR.
  const choice = name.replace(/\s*\/\s*/g, " OR ");
  const parts = choice.split(/\s+(OR|AND|WITH)\s+/);
  if (parts.length > 1 && parts.every((part) => spdxWord.test(part))) return choice;
  const id = idByLowerCase.get(name.toLowerCase());
  if (id !== undefined || /^[\w.]+-[\d.]+-(only|or-later)$/.test(name)) return id ?? name;
  const idByName = licenseNamePatterns.find(([, pattern]) => pattern.test(name))?.[0];
  return idByName ?? (spdxWord.test(name) ? name : undefined);
}

const spdxWord = /^[\w.+-]+$/;

const idByLowerCase = new Map(licenseTextPatterns.map(([id]) => [id.toLowerCase(), id]));

/** Common names, and Python trove classifiers. */
const licenseNamePatterns: readonly [string, RegExp][] = [
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
 * Combines the licences detected in each file (`texts`) and those declared in manifests into one
 * SPDX expression. A declaration is used if it covers every file. Otherwise the first licences of
 * the files are joined with OR, MIT first by convention.
 */
export function combineLicenses(
  texts: readonly (readonly string[])[],
  declared: readonly string[],
): string | null {
  const agreeing = declared.find((expression) => {
    const ids = spdxIdsIn(expression);
    const isNamed = (id: string) => ids.some((named) => named === id || named.startsWith(`${id}-`));
    return texts.every((licenses) => licenses.some(isNamed));
  });
  if (agreeing !== undefined) return agreeing;
  const firsts = [...new Set(texts.flatMap(([first]) => first ?? []))];
  // The LGPL supplements the GPL, whose text must accompany it.
  const isLesser = firsts.some((id) => id.startsWith("LGPL"));
  const ordered = firsts
    .filter((id) => !(isLesser && id.startsWith("GPL")))
    .sort((a, b) => Number(b === "MIT") - Number(a === "MIT"));
  return ordered.length > 0 ? ordered.join(" OR ") : null;
}

const spdxIdsIn = (expression: string): string[] =>
  expression.split(/[\s()]+/).filter((word) => !/^(OR|AND|WITH|)$/.test(word));
