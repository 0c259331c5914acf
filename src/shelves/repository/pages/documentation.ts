import { type CodeMention, findCodeMentions } from "../../../text/software/code-mentions.ts";
import { isMarkdownFile } from "../../../text/software/programming-languages.ts";
import type { TaskContext } from "../progress.ts";
import type { FileInventory } from "../repo/file-inventory.ts";
import type { RepositoryState } from "../state.ts";
import { visitPages } from "./page-set.ts";

/** A page of a repository's documentation. */
export interface DocumentationPage {
  /** Relative to the repository, with slashes. */
  file: string;
  lines: string[];
  /**
   * Whether the page describes the current state, the history (such as a changelog), or a decision.
   */
  tense: "now" | "past" | "decision";
  /** The code names on it; empty unless requested. */
  mentions: CodeMention[];
}

export interface DocumentationScan {
  /** Sorted by path. */
  pages: Map<string, DocumentationPage>;
  /** The first unread page, if a timeout stopped the scan. */
  stopped_at?: string;
}

/** Reads the pages in a folder of a repository; an empty folder means all pages. */
export async function readDocumentation(
  state: Pick<RepositoryState, "boundary">,
  { root, files }: FileInventory,
  folder: string,
  call: TaskContext,
  { namesCode = true }: { namesCode?: boolean } = {},
): Promise<DocumentationScan> {
  const pages = new Map<string, DocumentationPage>();
  const stopped_at = await visitPages(
    state,
    { root, files: selectPages(files, folder) },
    call,
    ({ file, lines }) => {
      const mentions = namesCode ? findCodeMentions(lines) : [];
      pages.set(file, { file, lines, tense: pageTense(file), mentions });
    },
    // Unreadable pages are ignored.
    () => undefined,
  );
  return { pages, ...(stopped_at !== undefined && { stopped_at }) };
}

/** The sorted paths of pages. */
const selectPages = (files: FileInventory["files"], folder: string): string[] =>
  files
    .filter(({ path, isLink }) => !isLink && isDocumentation(path) && isBelow(path, folder))
    .map(({ path }) => path)
    .filter((path) => !/(^|\/)(node_modules|vendor|third_party)\//.test(path))
    .sort();

/** Markdown and reStructuredText mark code in the same way. */
const isDocumentation = (path: string): boolean => isMarkdownFile(path) || /\.rst$/i.test(path);

const isBelow = (path: string, folder: string): boolean =>
  folder === "" || path === folder || path.startsWith(`${folder}/`);

function pageTense(file: string): DocumentationPage["tense"] {
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
