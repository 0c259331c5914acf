import fc from "fast-check";
import { expect, test } from "vitest";
import { wordsContaining } from "./word-text.ts";

test("[search.names.within] part of a name is found in every word that has it", () => {
  const words = [
    "profile",
    "get_user_profile",
    "user_profile",
    "user_profiles",
    "superuser_profile",
  ];
  const find = (part: string, isWhole: boolean) => wordsContaining(words.join("\n"), part, isWhole);

  expect(find("profile", false)).toEqual(words);
  expect(find("user_profile", true)).toEqual(["get_user_profile", "user_profile"]);
  expect(find("profiles", false)).toEqual(["user_profiles"]);
  expect(wordsContaining("", "a", false)).toEqual([]);
});

test("[search.names.within] it finds what a comparison with each word finds", () => {
  const word = fc.stringMatching(/^[ab_]{1,8}$/);
  fc.assert(
    fc.property(fc.uniqueArray(word), word, fc.boolean(), (words, part, isWhole) => {
      const expected = words.filter((one) =>
        isWhole ? `_${one}_`.includes(`_${part}_`) : one.includes(part),
      );
      expect(wordsContaining(words.join("\n"), part, isWhole)).toEqual(expected);
    }),
  );
});
