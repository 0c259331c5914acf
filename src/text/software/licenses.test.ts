import { describe, expect, test } from "vitest";
import { combineLicenses, detectLicenses, toSpdxExpression } from "./licenses.ts";

const bsd =
  "Redistribution and use in source and binary forms, with or without\nmodification, are permitted";

describe("[repository.analysis.licenses] a license is detected from its text, with or without a title", () => {
  const cases: [string, string, string[]][] = [
    [
      "MIT",
      "Permission is hereby granted, free of charge, to any\n person obtaining a copy of this",
      ["MIT"],
    ],
    [
      "Apache",
      "Apache License\n  Version 2.0, January 2004\n http://www.apache.org/licenses/",
      ["Apache-2.0"],
    ],
    ["BSD of two clauses", bsd, ["BSD-2-Clause"]],
    [
      "BSD of three",
      `${bsd}\n3. Neither the name of X may be used to endorse or promote products`,
      ["BSD-3-Clause", "BSD-2-Clause"],
    ],
    [
      "ISC",
      "Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above",
      ["ISC"],
    ],
    ["GPL", "GNU GENERAL PUBLIC LICENSE\nVersion 2, June 1991", ["GPL-2.0"]],
    [
      "LGPL",
      "GNU LESSER GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007\nsupplements the GNU General Public License",
      ["LGPL-3.0", "GPL-3.0"],
    ],
    [
      "Unlicense",
      "This is free and unencumbered software released into the public domain.",
      ["Unlicense"],
    ],
    [
      "of the project first",
      "The MIT License\nPermission is hereby granted, free of charge, to any person obtaining a copy\n## Bundled\nApache License Version 2.0, January 2004",
      ["MIT", "Apache-2.0"],
    ],
    ["none", "All rights reserved.", []],
    ["filler", "x".repeat(5_000), []],
    ["nothing", "", []],
  ];
  for (const [name, text, expected] of cases) {
    test(name, () => {
      expect(detectLicenses(text)).toEqual(expected);
    });
  }

  const named: [string, string | undefined][] = [
    ["MIT", "MIT"],
    ["mit", "MIT"],
    ["(MIT OR Apache-2.0)", "MIT OR Apache-2.0"],
    ["MIT/Apache-2.0", "MIT OR Apache-2.0"],
    ["Apache License, Version 2.0", "Apache-2.0"],
    ["License :: OSI Approved :: BSD License", "BSD-3-Clause"],
    ["GPL-3.0-or-later", "GPL-3.0-or-later"],
    ["The MIT License (MIT)", "MIT"],
    ["SEE LICENSE IN file.txt", undefined],
    ["UNLICENSED", undefined],
    ["", undefined],
  ];
  for (const [given, expected] of named) {
    test(`'${given}' is ${expected}`, () => {
      expect(toSpdxExpression(given)).toBe(expected);
    });
  }

  const joined: [string, string[][], string[], string | null][] = [
    ["two files are a choice", [["Apache-2.0"], ["MIT"]], [], "MIT OR Apache-2.0"],
    [
      "a manifest that names the text knows more",
      [["GPL-3.0"]],
      ["GPL-3.0-or-later"],
      "GPL-3.0-or-later",
    ],
    ["a manifest that names another is mistaken", [["Apache-2.0"]], ["ISC"], "Apache-2.0"],
    ["a manifest alone is believed", [], ["MIT"], "MIT"],
    [
      "the lesser licence needs the other beside it",
      [["GPL-3.0"], ["LGPL-3.0", "GPL-3.0"]],
      [],
      "LGPL-3.0",
    ],
    ["nothing is nothing", [], [], null],
  ];
  for (const [name, texts, declared, expected] of joined) {
    test(name, () => {
      expect(combineLicenses(texts, declared)).toBe(expected);
    });
  }
});
