import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isEnglish } from "../../src/text/language/english.ts";

const data = resolve("..", "shared", "data");

/** The folder of a data set in `../shared/data`, if it exists. */
export function dataFolder(name: string): string | undefined {
  const folder = join(data, name);
  return existsSync(folder) ? folder : undefined;
}

/** Real documentation in English, Chinese and Japanese. */
export const pages = dataFolder("markdown");

/** Words of a page, and the path of that page. */
export interface Question {
  query: string;
  page: string;
}

/**
 * Queries with a known answer: one to six consecutive words from the middle of a page, for a sample
 * of the pages. The result is deterministic.
 */
export function questionsFrom(folder: string, count: number): Question[] {
  const segmenter = new Intl.Segmenter("en", { granularity: "word" });
  const files = filesIn(folder);
  const questions = new Map<string, Question>();
  for (let number = 0; number < files.length && questions.size < count; number++) {
    // A step coprime to the number of pages visits each page once.
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

/** Copies this many English pages, sampled evenly. */
export function writeEnglishPart(from: string, to: string, count: number): void {
  const files = filesIn(from);
  const sampled = files.map((_, number) => files[(number * 997) % files.length] ?? "");
  let written = 0;
  for (const path of sampled) {
    if (written === count) return;
    const text = readFileSync(join(from, path), "utf8");
    if (!isEnglish(text)) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), text);
    written++;
  }
}

/**
 * Writes a copy of the pages with shuffled paragraphs and one unique word. Returns the number of
 * pages.
 */
export function writeCopy(from: string, to: string, number: number): number {
  const longAgo = new Date(2020, 0, 1);
  const files = filesIn(from);
  for (const path of files) {
    const file = join(to, `copy-${number}`, path);
    mkdirSync(dirname(file), { recursive: true });
    const [opening = "", ...paragraphs] = readFileSync(join(from, path), "utf8").split(/\n{2,}/);
    const shuffled = paragraphs
      .map((text, index) => ({ text, rank: ((index + 1) * (number * 7919 + 1)) % 10_007 }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ text }) => text);
    writeFileSync(file, [opening, ...shuffled, `copy${number}`].join("\n\n"));
    // An update always reads recently written files again, so the copies get an old timestamp.
    utimesSync(file, longAgo, longAgo);
  }
  return files.length;
}

export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .sort();
