import { counted } from "../../text/counted.ts";
import type { Page, PageHeading } from "../../text/markdown/page.ts";
import { lack, pass, type ReadmeCheck, type ReadmeSight } from "./readme-check.ts";
import { faultCheck, headingCheck, lengthCheck, pictureCheck } from "./readme-form.ts";

/** The questions that somebody new to a project asks its README. */
export function readmeChecks(sight: ReadmeSight): ReadmeCheck[] {
  return [
    titleCheck(sight),
    descriptionCheck(sight),
    codeSection(sight, {
      id: "installation",
      title: /\b(install|set ?up|getting started|quick ?start|try it|download|build)/i,
      command:
        /\b((npm|pnpm|yarn|bun|pip|pipx|uv|cargo|gem|brew|apt|apt-get|dnf|choco|composer|dotnet) (i|install|add|ci)|go (get|install)|docker (run|pull)|npx|git clone)\b/,
      recommendation: "Say how to install it, with the command.",
    }),
    codeSection(sight, {
      id: "usage",
      title: /\b(usage|using|use|examples?|quick ?start|getting started|how to|tutorial|try it)\b/i,
      command: /\b(import|require|from|use|new|curl|run)\b/,
      recommendation: "Show the smallest example that does something.",
    }),
    licenceCheck(sight),
    contributingCheck(sight),
    documentationCheck(sight),
    faultCheck(sight, "links", 3, "Mend each link by its remedy."),
    faultCheck(sight, "code", 1, "Give each code block a language, and mend what cannot be read."),
    faultCheck(sight, "references", 2, "Name files and scripts as they are now."),
    pictureCheck(sight),
    headingCheck(sight),
    lengthCheck(sight),
  ].filter((check) => check !== undefined);
}

/** From 0 to 100; a warning counts half. */
export function readmeScore(checks: readonly ReadmeCheck[]): number {
  const earned = { pass: 1, warning: 0.5, fail: 0 };
  const most = checks.reduce((sum, { weight }) => sum + weight, 0);
  const got = checks.reduce((sum, { weight, status }) => sum + weight * earned[status], 0);
  return most === 0 ? 0 : Math.round((100 * got) / most);
}

function titleCheck({ page }: ReadmeSight): ReadmeCheck {
  const titles = page.headings.filter(({ depth }) => depth === 1);
  const [first, second] = titles;
  if (!first)
    return lack("title", 2, "fail", "no heading of the first level", "Begin with '# Name'.", 1);
  if (second) {
    return lack(
      "title",
      2,
      "warning",
      `${counted(titles.length, "heading")} of the first level`,
      "Keep one title, and make the others '##'.",
      second.line,
    );
  }
  return pass("title", 2, first.title, first.line);
}

/** Whoever has a description has said it by then. */
const mostOfParagraph = 10_000;

/** Words before the second heading that are more than badges. */
function descriptionCheck({ page }: ReadmeSight): ReadmeCheck {
  const second =
    page.headings.filter(({ depth }) => depth > 1)[0]?.line ?? Number.POSITIVE_INFINITY;
  for (const leaf of page.leaves) {
    if (leaf.line >= second || (leaf.kind !== "paragraph" && leaf.kind !== "html")) continue;
    const words = leaf.lines
      .join(" ")
      .slice(0, mostOfParagraph)
      .replace(/!\[[^\]]*\]\([^)]*\)|<[^>]*>|\[|\]\([^)]*\)/g, " ")
      .match(/[\p{L}\p{N}'-]+/gu);
    if ((words?.length ?? 0) >= 5) {
      return pass("description", 3, (words ?? []).join(" ").slice(0, 120), leaf.line);
    }
  }
  return lack(
    "description",
    3,
    "fail",
    "no sentence before the first section",
    "Say in one or two sentences what it is and for whom.",
    page.headings[0]?.line ?? 1,
  );
}

/** A section with code under a title of this kind; code of this kind elsewhere is half the answer. */
function codeSection(
  { page }: ReadmeSight,
  asked: { id: string; title: RegExp; command: RegExp; recommendation: string },
): ReadmeCheck {
  const { id, title, command, recommendation } = asked;
  const section = page.headings.find((heading) => heading.depth > 1 && title.test(heading.title));
  const isInside = (line: number): boolean =>
    section !== undefined && line > section.line && line < endOf(page, section);
  if (section && page.codes.some(({ line }) => isInside(line))) {
    return pass(id, 3, section.title, section.line);
  }
  const elsewhere = page.codes.find(({ lines }) => lines.some((line) => command.test(line)));
  if (section)
    return lack(id, 3, "warning", `'${section.title}' shows no code`, recommendation, section.line);
  if (elsewhere) {
    return lack(
      id,
      3,
      "warning",
      "code that no heading announces",
      `Give it a heading about ${id}.`,
      elsewhere.line,
    );
  }
  return lack(id, 3, "fail", `no section about ${id}`, recommendation);
}

/** The line of the next heading that is not below this one. */
const endOf = ({ headings }: Page, section: PageHeading): number =>
  headings.find(({ line, depth }) => line > section.line && depth <= section.depth)?.line ??
  Number.POSITIVE_INFINITY;

function licenceCheck({ page, lines, names }: ReadmeSight): ReadmeCheck {
  const file = names.find((name) => /^(un)?licen[cs]e|^copying/i.test(name));
  const line = lines.findIndex((text) => /\blicen[cs]ed?\b/i.test(text)) + 1;
  const section = page.headings.find(({ title }) => /\blicen[cs]e\b/i.test(title));
  const place = section?.line ?? line;
  if (file && place > 0) return pass("license", 2, file, place);
  if (place > 0)
    return lack(
      "license",
      2,
      "warning",
      "a licence is named, and no file holds it",
      "Add a LICENSE file.",
      place,
    );
  if (file)
    return lack(
      "license",
      2,
      "warning",
      `${file} is there, and the README does not name it`,
      "Name the licence at the end.",
    );
  return lack("license", 2, "fail", "no licence", "Choose a licence and add it as LICENSE.");
}

function contributingCheck({ page, names }: ReadmeSight): ReadmeCheck {
  const section = page.headings.find(({ title }) => /\bcontribut/i.test(title));
  const link = page.links.find(({ destination }) => /contributing/i.test(destination ?? ""));
  const file = names.find((name) => /^contributing\b/i.test(name));
  if (section || link)
    return pass(
      "contributing",
      1,
      section?.title ?? link?.written ?? "",
      section?.line ?? link?.line,
    );
  if (file)
    return lack(
      "contributing",
      1,
      "warning",
      `${file} is there, and nothing leads to it`,
      `Link to ${file}.`,
    );
  return lack(
    "contributing",
    1,
    "warning",
    "nothing about contributing",
    "Say how to report and how to change something.",
  );
}

function documentationCheck({ page, names }: ReadmeSight): ReadmeCheck | undefined {
  const folder = names.find((name) => /^(docs?|documentation)$/i.test(name));
  if (!folder) return undefined;
  const link = page.links.find(({ destination }) =>
    destination?.replace(/^\.?\//, "").startsWith(folder),
  );
  if (link) return pass("documentation", 1, link.written, link.line);
  return lack(
    "documentation",
    1,
    "warning",
    `${folder}/ is there, and nothing leads to it`,
    `Link to ${folder}/.`,
  );
}
