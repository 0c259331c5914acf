import { quoteString } from "../files/escaped-text.ts";
import type { PlannedFile } from "../files/file-writer.ts";
import type { Ssg } from "../sites/site-generators.ts";
import { formatQuestion } from "./open-question.ts";

/** The four kinds of documentation with their folders and contents. */
export const diataxisCategories = [
  {
    folder: "tutorials",
    title: "Tutorials",
    purpose: "Lessons for newcomers: each leads through one small piece of work that succeeds.",
    example: {
      file: "getting-started.md",
      title: "Getting started",
      sections: {
        "What you will make": "What will the reader have built at the end?",
        "Before you begin": "What must be installed or known?",
        Steps: "Which steps are needed, and what does the reader see after each?",
        "Where to go next": "Which how-to guide comes after this?",
      },
    },
  },
  {
    folder: "how-to",
    title: "How-to guides",
    purpose: "Recipes for readers who know what they want: each reaches one goal.",
    example: {
      file: "deploy-to-production.md",
      title: "Deploy to production",
      sections: {
        Goal: "What runs where once this is done?",
        Steps: "Which commands, in which order, by whom?",
        "When it goes wrong": "How is a failure noticed, and how is it rolled back?",
      },
    },
  },
  {
    folder: "reference",
    title: "Reference",
    purpose: "Facts to look up: complete, plain and in the order of the thing described.",
    example: {
      file: "api-documentation.md",
      title: "API",
      sections: {
        Overview: "Which functions, commands or routes are public?",
        Entries: "For each: what goes in, what comes out, what can fail?",
      },
    },
  },
  {
    folder: "explanation",
    title: "Explanation",
    purpose: "Background: the reasons for the design, and which alternatives were considered.",
    example: {
      file: "architecture-overview.md",
      title: "Architecture",
      sections: {
        "The parts": "Which parts exist, and what is each for?",
        "How they work together": "What happens from a request to its answer?",
        Rationale: "Which decisions shaped it, and what did they cost?",
      },
    },
  },
] as const;

/** The initial pages of a four-part documentation, for a given generator. */
export function diataxisFiles(ssg: Ssg, includeExamples: boolean): PlannedFile[] {
  const index = ssg === "hugo" ? "_index.md" : "index.md";
  const page = (file: string, title: string, position: number, parts: readonly string[]) => ({
    file,
    text: `${frontMatter(ssg, title, position)}\n${[`# ${title}`, ...parts].join("\n\n")}\n`,
  });
  const home = page(index, "Documentation", 1, [
    // Hugo lists subpages by its own layout, and does not resolve links to files.
    ssg === "hugo"
      ? diataxisCategories.map(({ title, purpose }) => `- **${title}**: ${purpose}`).join("\n")
      : diataxisCategories
          .map(({ folder, title, purpose }) => `- [${title}](${folder}/index.md): ${purpose}`)
          .join("\n"),
  ]);
  const parts = diataxisCategories.flatMap(({ folder, title, purpose, example }, position) => {
    const isLinked = includeExamples && ssg !== "hugo";
    const links = isLinked ? [`- [${example.title}](${example.file})`] : [];
    const indexPage = page(`${folder}/${index}`, title, position + 2, [purpose, ...links]);
    if (!includeExamples) return [indexPage];
    const sections = Object.entries(example.sections).map(
      ([heading, question]) => `## ${heading}\n\n${formatQuestion(question)}`,
    );
    return [indexPage, page(`${folder}/${example.file}`, example.title, 1, sections)];
  });
  return [home, ...parts];
}

/** The front matter key by which a generator sorts pages. */
const orderKeys: Partial<Record<Ssg, string>> = {
  docusaurus: "sidebar_position",
  hugo: "weight",
  jekyll: "nav_order",
};

function frontMatter(ssg: Ssg, title: string, position: number): string {
  const order = orderKeys[ssg];
  const lines = [`title: ${quoteString(title)}`, ...(order ? [`${order}: ${position}`] : [])];
  return `---\n${lines.join("\n")}\n---\n`;
}
