import type { MarkdownPage, PageHeading } from "../../../text/markdown/page.ts";
import { pluralise } from "../../../text/strings/pluralise.ts";
import {
  failedCheck,
  headingCheck,
  imageAltCheck,
  issuesCheck,
  lengthCheck,
  passedCheck,
  type ReadmeCheck,
  type ReadmeInput,
} from "./readme-format-checks.ts";

/** Checks whether a README answers the questions of a newcomer. */
export function readmeChecks(input: ReadmeInput): ReadmeCheck[] {
  return [
    titleCheck(input),
    descriptionCheck(input),
    codeSectionCheck(input, {
      id: "installation",
      title: /\b(install|set ?up|getting started|quick ?start|try it|download|build)/i,
      command:
        /\b((npm|pnpm|yarn|bun|pip|pipx|uv|cargo|gem|brew|apt|apt-get|dnf|choco|composer|dotnet) (i|install|add|ci)|go (get|install)|docker (run|pull)|npx|git clone)\b/,
      recommendation: "Say how to install it, with the command.",
    }),
    codeSectionCheck(input, {
      id: "usage",
      title: /\b(usage|using|use|examples?|quick ?start|getting started|how to|tutorial|try it)\b/i,
      command: /\b(import|require|from|use|new|curl|run)\b/,
      recommendation: "Show the smallest example that does something.",
    }),
    licenceCheck(input),
    contributingCheck(input),
    documentationCheck(input),
    issuesCheck(input, "links", 3, "Apply the fix of each link."),
    issuesCheck(input, "code", 1, "Give each code block a language, and fix invalid code."),
    issuesCheck(input, "references", 2, "Use the current names of files and scripts."),
    imageAltCheck(input),
    headingCheck(input),
    lengthCheck(input),
  ].filter((check) => check !== undefined);
}

/** From 0 to 100; a warning counts half. */
export function readmeScore(checks: readonly ReadmeCheck[]): number {
  const earned = { pass: 1, warning: 0.5, fail: 0 };
  const maxScore = checks.reduce((sum, { weight }) => sum + weight, 0);
  const score = checks.reduce((sum, { weight, status }) => sum + weight * earned[status], 0);
  return maxScore === 0 ? 0 : Math.round((100 * score) / maxScore);
}

function titleCheck({ page }: ReadmeInput): ReadmeCheck {
  const titles = page.headings.filter(({ depth }) => depth === 1);
  const [first, second] = titles;
  if (!first)
    return failedCheck(
      "title",
      2,
      "fail",
      "no heading of the first level",
      "Begin with '# Name'.",
      1,
    );
  if (second) {
    return failedCheck(
      "title",
      2,
      "warning",
      `${pluralise(titles.length, "heading")} of the first level`,
      "Keep one title, and use '##' for the others.",
      second.line,
    );
  }
  return passedCheck("title", 2, first.title, first.line);
}

/** A description is within this length. */
const maxParagraphLength = 10_000;

/** Requires text other than badges before the second heading. */
function descriptionCheck({ page }: ReadmeInput): ReadmeCheck {
  const second =
    page.headings.filter(({ depth }) => depth > 1)[0]?.line ?? Number.POSITIVE_INFINITY;
  for (const leaf of page.leaves) {
    if (leaf.line >= second || (leaf.kind !== "paragraph" && leaf.kind !== "html")) continue;
    const words = leaf.lines
      .join(" ")
      .slice(0, maxParagraphLength)
      .replace(/!\[[^\]]*\]\([^)]*\)|<[^>]*>|\[|\]\([^)]*\)/g, " ")
      .match(/[\p{L}\p{N}'-]+/gu);
    if ((words?.length ?? 0) >= 5) {
      return passedCheck("description", 3, (words ?? []).join(" ").slice(0, 120), leaf.line);
    }
  }
  return failedCheck(
    "description",
    3,
    "fail",
    "no sentence before the first section",
    "Say in one or two sentences what it is and for whom.",
    page.headings[0]?.line ?? 1,
  );
}

/** Requires a section with such a title and code; matching code elsewhere is a warning. */
function codeSectionCheck(
  { page }: ReadmeInput,
  expected: { id: string; title: RegExp; command: RegExp; recommendation: string },
): ReadmeCheck {
  const { id, title, command, recommendation } = expected;
  const section = page.headings.find((heading) => heading.depth > 1 && title.test(heading.title));
  const isInside = (line: number): boolean =>
    section !== undefined && line > section.line && line < sectionEnd(page, section);
  if (section && page.codeBlocks.some(({ line }) => isInside(line))) {
    return passedCheck(id, 3, section.title, section.line);
  }
  const elsewhere = page.codeBlocks.find(({ lines }) => lines.some((line) => command.test(line)));
  if (section)
    return failedCheck(
      id,
      3,
      "warning",
      `'${section.title}' shows no code`,
      recommendation,
      section.line,
    );
  if (elsewhere) {
    return failedCheck(
      id,
      3,
      "warning",
      "code without a heading",
      `Give it a heading about ${id}.`,
      elsewhere.line,
    );
  }
  return failedCheck(id, 3, "fail", `no section about ${id}`, recommendation);
}

/** The line of the next heading of the same or a higher level. */
const sectionEnd = ({ headings }: MarkdownPage, section: PageHeading): number =>
  headings.find(({ line, depth }) => line > section.line && depth <= section.depth)?.line ??
  Number.POSITIVE_INFINITY;

function licenceCheck({ page, lines, names }: ReadmeInput): ReadmeCheck {
  const file = names.find((name) => /^(un)?licen[cs]e|^copying/i.test(name));
  const line = lines.findIndex((text) => /\blicen[cs]ed?\b/i.test(text)) + 1;
  const section = page.headings.find(({ title }) => /\blicen[cs]e\b/i.test(title));
  const licenceLine = section?.line ?? line;
  if (file && licenceLine > 0) return passedCheck("license", 2, file, licenceLine);
  if (licenceLine > 0)
    return failedCheck(
      "license",
      2,
      "warning",
      "a licence is named, but there is no licence file",
      "Add a LICENSE file.",
      licenceLine,
    );
  if (file)
    return failedCheck(
      "license",
      2,
      "warning",
      `${file} exists, but the README does not mention it`,
      "Name the licence at the end.",
    );
  return failedCheck("license", 2, "fail", "no licence", "Choose a licence and add it as LICENSE.");
}

function contributingCheck({ page, names }: ReadmeInput): ReadmeCheck {
  const section = page.headings.find(({ title }) => /\bcontribut/i.test(title));
  const link = page.links.find(({ destination }) => /contributing/i.test(destination ?? ""));
  const file = names.find((name) => /^contributing\b/i.test(name));
  if (section || link)
    return passedCheck(
      "contributing",
      1,
      section?.title ?? link?.written ?? "",
      section?.line ?? link?.line,
    );
  if (file)
    return failedCheck(
      "contributing",
      1,
      "warning",
      `${file} exists, but nothing links to it`,
      `Link to ${file}.`,
    );
  return failedCheck(
    "contributing",
    1,
    "warning",
    "nothing about contributing",
    "Explain how to report problems and contribute changes.",
  );
}

function documentationCheck({ page, names }: ReadmeInput): ReadmeCheck | undefined {
  const folder = names.find((name) => /^(docs?|documentation)$/i.test(name));
  if (!folder) return undefined;
  const link = page.links.find(({ destination }) =>
    destination?.replace(/^\.?\//, "").startsWith(folder),
  );
  if (link) return passedCheck("documentation", 1, link.written, link.line);
  return failedCheck(
    "documentation",
    1,
    "warning",
    `${folder}/ exists, but nothing links to it`,
    `Link to ${folder}/.`,
  );
}
