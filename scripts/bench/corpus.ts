import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isEnglish } from "../../src/text/language.ts";

const data = resolve("..", "shared", "data");

/** The folder of a set of data that lies beside this repository, where it is there. */
export function dataFolder(name: string): string | undefined {
  const folder = join(data, name);
  return existsSync(folder) ? folder : undefined;
}

/** Real documentation in English, Chinese and Japanese. */
export const pages = dataFolder("markdown");

/** Words of a page, and the page that they are from. */
export interface Question {
  query: string;
  page: string;
}

/**
 * Queries that real pages can answer: from the middle of every so-manieth page, one to six words
 * as they follow one another there. The same pages always give the same queries.
 */
export function questionsFrom(folder: string, count: number): Question[] {
  const segmenter = new Intl.Segmenter("en", { granularity: "word" });
  const files = filesIn(folder);
  const questions = new Map<string, Question>();
  for (let number = 0; number < files.length && questions.size < count; number++) {
    // A step that shares no divisor with the number of pages comes to each of them once.
    const page = files[(number * 997) % files.length] ?? "";
    const segments = [...segmenter.segment(readFileSync(join(folder, page), "utf8"))];
    const words = segments
      .filter(({ segment, isWordLike }) => isWordLike && /^\p{L}{2,}$/u.test(segment))
      .map(({ segment }) => segment);
    const middle = Math.floor(words.length / 2);
    const query = words.slice(middle, middle + (number % 6) + 1).join(" ");
    if (words.length >= 40) questions.set(query, { query, page });
  }
  return [...questions.values()];
}

export const queriesFrom = (folder: string, count: number): string[] =>
  questionsFrom(folder, count).map(({ query }) => query);

/** Copies so many pages, spread over all, which a model for English can read. */
export function writeEnglishPart(from: string, to: string, count: number): void {
  const files = filesIn(from);
  const spread = files.map((_, number) => files[(number * 997) % files.length] ?? "");
  let written = 0;
  for (const path of spread) {
    if (written === count) return;
    const text = readFileSync(join(from, path), "utf8");
    if (!isEnglish(text)) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), text);
    written++;
  }
}

/**
 * The same pages once more, with paragraphs in an order of their own and a word nobody else has.
 * Gives their number.
 */
export function writeCopy(from: string, to: string, number: number): number {
  const longAgo = new Date(2020, 0, 1);
  const files = filesIn(from);
  for (const path of files) {
    const file = join(to, `copy-${number}`, path);
    mkdirSync(dirname(file), { recursive: true });
    const [opening = "", ...paragraphs] = readFileSync(join(from, path), "utf8").split(/\n{2,}/);
    const mixed = paragraphs
      .map((text, place) => ({ text, rank: ((place + 1) * (number * 7919 + 1)) % 10_007 }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ text }) => text);
    writeFileSync(file, [opening, ...mixed, `copy${number}`].join("\n\n"));
    // A file that was written just now is read again at the next update, to be sure of it.
    utimesSync(file, longAgo, longAgo);
  }
  return files.length;
}

export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .sort();
