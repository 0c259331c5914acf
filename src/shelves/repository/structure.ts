import type { Ssg } from "./generators.ts";
import { question } from "./open-question.ts";
import type { PlannedFile } from "./writing.ts";
import { quoted } from "./written-values.ts";

/** The four kinds of documentation, with the folder of each and what belongs there. */
export const categories = [
  {
    folder: "tutorials",
    title: "Tutorials",
    purpose: "Lessons for newcomers: each leads through one small piece of work that succeeds.",
    example: {
      file: "getting-started.md",
      title: "Getting started",
      sections: {
        "What you will make": "What does the reader hold in hands at the end?",
        "Before you begin": "What must be installed or known?",
        Steps: "Which steps lead there, and what does the reader see after each?",
        "Where to go next": "Which how-to guide comes after this?",
      },
    },
  },
  {
    folder: "how-to",
    title: "How-to guides",
    purpose: "Recipes for people who know what they want: each reaches one goal.",
    example: {
      file: "deploy-to-production.md",
      title: "Deploy to production",
      sections: {
        Goal: "What runs where once this is done?",
        Steps: "Which commands, in which order, by whom?",
        "When it goes wrong": "How is it noticed, and how is it taken back?",
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
    purpose: "Background: why things are as they are, and what else was thought of.",
    example: {
      file: "architecture-overview.md",
      title: "Architecture",
      sections: {
        "The parts": "Which parts are there, and what is each for?",
        "How they work together": "What happens from a request to its answer?",
        "Why so": "Which decisions shaped it, and what did they cost?",
      },
    },
  },
] as const;

/** The pages of a new documentation in four parts, as the generator wants them. */
export function structureFiles(ssg: Ssg, includeExamples: boolean): PlannedFile[] {
  const index = ssg === "hugo" ? "_index.md" : "index.md";
  const page = (file: string, title: string, place: number, parts: readonly string[]) => ({
    file,
    text: `${frontMatter(ssg, title, place)}\n${[`# ${title}`, ...parts].join("\n\n")}\n`,
  });
  const home = page(index, "Documentation", 1, [
    // Hugo lists the pages below by its own layout, and resolves no links to files.
    ssg === "hugo"
      ? categories.map(({ title, purpose }) => `- **${title}**: ${purpose}`).join("\n")
      : categories
          .map(({ folder, title, purpose }) => `- [${title}](${folder}/index.md): ${purpose}`)
          .join("\n"),
  ]);
  const parts = categories.flatMap(({ folder, title, purpose, example }, place) => {
    const isLinked = includeExamples && ssg !== "hugo";
    const links = isLinked ? [`- [${example.title}](${example.file})`] : [];
    const front = page(`${folder}/${index}`, title, place + 2, [purpose, ...links]);
    if (!includeExamples) return [front];
    const sections = Object.entries(example.sections).map(
      ([heading, asked]) => `## ${heading}\n\n${question(asked)}`,
    );
    return [front, page(`${folder}/${example.file}`, example.title, 1, sections)];
  });
  return [home, ...parts];
}

/** The key by which a generator orders pages, where it knows one. */
const orderKeys: Partial<Record<Ssg, string>> = {
  docusaurus: "sidebar_position",
  hugo: "weight",
  jekyll: "nav_order",
};

function frontMatter(ssg: Ssg, title: string, place: number): string {
  const order = orderKeys[ssg];
  const lines = [`title: ${quoted(title)}`, ...(order ? [`${order}: ${place}`] : [])];
  return `---\n${lines.join("\n")}\n---\n`;
}
