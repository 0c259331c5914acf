import { expect, test } from "vitest";
import { paragraphFinder, sentenceFinder } from "./sentence-spans.ts";

const around = (finder: typeof paragraphFinder, text: string, words: string): string => {
  const start = text.indexOf(words);
  const place = finder(text)({ start, end: start + words.length });
  return text.slice(place.start, place.end);
};

test("[qualitative.sentences.around] a paragraph is delimited by blank lines, or is a line", () => {
  const paragraph = (text: string, words: string) => around(paragraphFinder, text, words);

  expect(paragraph("One.\n\nTwo\nthree.\n \nFour.", "three")).toBe("Two\nthree.");
  expect(paragraph("One.\r\n\r\nTwo\r\nthree.\r\n\r\nFour.", "Two")).toBe("Two\r\nthree.");
  expect(paragraph("One.\nTwo.\nThree.", "Two")).toBe("Two.");
  expect(paragraph("One.\r\nTwo.\r\n", "Two")).toBe("Two.");
  expect(paragraph("One", "n")).toBe("One");
  expect(paragraph("A one.\n\nA two.\n\nA three.", "one.\n\nA two")).toBe("A one.\n\nA two.");
});

test("[qualitative.sentences.around] a sentence ends according to its script", () => {
  const sentence = (text: string, words: string) => around(sentenceFinder, text, words);

  expect(sentence("I hoped. Then I left! Why? 😀 So.", "left")).toBe("Then I left!");
  expect(sentence("It cost 3.50 in all. Dr. Smith paid. Fine.", "paid")).toBe("Dr. Smith paid.");
  expect(sentence("It cost 3.50 in all. Fine.", "cost")).toBe("It cost 3.50 in all.");
  expect(sentence("私は待った。そして帰った。", "帰")).toBe("そして帰った。");
  expect(sentence("मैं रुका। वह गया।", "गया")).toBe("वह गया।");
  expect(sentence("It was set\nin two lines. Not this.", "lines")).toBe(
    "It was set\nin two lines.",
  );
  expect(sentence("A line\nAnother line", "Another")).toBe("Another line");
  expect(sentence("One. Two. Three.", "ne. Tw")).toBe("One. Two.");
  expect(sentence("Before.\n\n  One. Two.", "One")).toBe("One.");
});
