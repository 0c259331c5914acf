import { frontmatterLength } from "../../text/frontmatter.ts";
import { linesOf } from "../../text/lines.ts";
import type { KnownPage } from "./known-page.ts";
import { question } from "./open-question.ts";
import { quoted } from "./written-values.ts";

/** A page as Markdown; front matter that is there already stays. */
export function pageText({ title, sections }: KnownPage, present: string | undefined): string {
  const front = present === undefined ? "" : frontMatterOf(present);
  const filled = sections.filter(({ facts, questions }) => facts.length + questions.length > 0);
  const body = filled.map(({ heading, facts, questions }) =>
    [
      `## ${heading}`,
      ...(facts.length > 0
        ? [facts.map(({ words, source }) => `- ${words} (from ${source})`).join("\n")]
        : []),
      ...questions.map(question),
    ].join("\n\n"),
  );
  const head = front === "" ? `---\ntitle: ${quoted(title)}\n---\n` : front;
  return `${head}\n${[`# ${title}`, ...body].join("\n\n")}\n`;
}

function frontMatterOf(text: string): string {
  const lines = linesOf(text);
  const length = frontmatterLength(lines);
  return length === 0 ? "" : `${lines.slice(0, length).join("\n")}\n`;
}
