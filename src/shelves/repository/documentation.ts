import { isMarkdown } from "../../text/languages.ts";
import { type Mention, mentionsIn } from "../../text/mentions.ts";
import { throughPages } from "./doc-pages.ts";
import type { Telling } from "./long-work.ts";
import type { RepositoryState } from "./state.ts";
import type { Survey } from "./survey.ts";

/** A page of a repository's documentation. */
export interface DocumentationPage {
  /** Relative to the repository, with slashes. */
  file: string;
  lines: string[];
  /**
   * A page that tells how things are; one that tells how they came to be, such as a list of changes;
   * or a record of a decision.
   */
  tense: "now" | "past" | "decision";
  /** The names of code on it; none where nobody asked for them. */
  mentions: Mention[];
}

export interface ReadDocumentation {
  /** In the order of their paths. */
  pages: Map<string, DocumentationPage>;
  /** The first page that was not looked at, where the time was over. */
  stopped_at?: string;
}

/** The pages of a repository in one of its folders; an empty folder means all of them. */
export async function documentationIn(
  state: Pick<RepositoryState, "boundary">,
  { root, files }: Survey,
  folder: string,
  call: Telling,
  { namesCode = true }: { namesCode?: boolean } = {},
): Promise<ReadDocumentation> {
  const pages = new Map<string, DocumentationPage>();
  const stopped_at = await throughPages(
    state,
    { root, files: pagesAmong(files, folder) },
    call,
    ({ file, lines }) => {
      const mentions = namesCode ? mentionsIn(lines) : [];
      pages.set(file, { file, lines, tense: tenseOf(file), mentions });
    },
    // A page that cannot be read says nothing about the code.
    () => undefined,
  );
  return { pages, ...(stopped_at !== undefined && { stopped_at }) };
}

/** The paths of pages, in their order. */
const pagesAmong = (files: Survey["files"], folder: string): string[] =>
  files
    .filter(({ path, isLink }) => !isLink && isRead(path) && isBelow(path, folder))
    .map(({ path }) => path)
    .filter((path) => !/(^|\/)(node_modules|vendor|third_party)\//.test(path))
    .sort();

/** Marks of code are the same in both. */
const isRead = (path: string): boolean => isMarkdown(path) || /\.rst$/i.test(path);

const isBelow = (path: string, folder: string): boolean =>
  folder === "" || path === folder || path.startsWith(`${folder}/`);

function tenseOf(file: string): DocumentationPage["tense"] {
  const steps = file.toLowerCase().split("/");
  const name = steps.pop() ?? "";
  if (steps.some((step) => decisionFolders.has(step))) return "decision";
  const isPast = pastNames.test(name) || steps.some((step) => pastFolders.has(step));
  return isPast ? "past" : "now";
}

const decisionFolders = new Set(["adr", "adrs", "decisions", "rfc", "rfcs"]);
const pastFolders = new Set(["changelog", "changelogs", "releases", "release-notes", "blog"]);
const pastNames =
  /^(change-?log|changes|history|news|releases?|release-?notes|migrat(ing|ion)|upgrad(e|ing)|whats-?new|license|licence|code[-_]of[-_]conduct|security)\b/;
