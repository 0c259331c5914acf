import { openTimeSlice } from "../../../kernel/processes/time-slice.ts";
import type { Runtime } from "../../../kernel/runtime/runtime.ts";
import { type PageLink, parseMarkdownPage } from "../../../text/markdown/page.ts";
import { type PageProblem, type PageSet, visitPages } from "../pages/page-set.ts";
import type { TaskContext } from "../progress.ts";
import { createRepoTree } from "../repo/repo-tree.ts";
import { type DocsSite, detectDocsSite, markdownFlavour } from "../sites/docs-site.ts";
import { requestUrls, type UrlResponse } from "./external-links.ts";
import { createLinkTargets } from "./link-targets.ts";
import { faultyLink, type LinkVerdict, skippedLink } from "./link-verdict.ts";
import { createPageLinkResolver, type PageLinkResolver } from "./page-link-resolver.ts";

/** A link with the result of its check. */
export interface CheckedLink extends PageLink {
  file: string;
  verdict: LinkVerdict;
}

export interface LinkReport {
  /** Sorted by file and line. */
  links: CheckedLink[];
  filesScanned: number;
  problems: PageProblem[];
  site: DocsSite | undefined;
  /** The page at which a timeout stopped the check. */
  stoppedAt: string | undefined;
}

export interface LinkOptions {
  internal: boolean;
  anchors: boolean;
  /** Options of external checks, if a person has allowed them. */
  outside?: { timeoutMs: number; concurrency: number; isHostAllowed: (host: string) => boolean };
  isIgnored: (destination: string) => boolean;
}

/** Maximum number of external URLs requested per call. */
const maxExternalUrls = 2_000;

/** Reads all pages first, because a link may point to any of them, then checks their links. */
export async function checkLinks(
  { boundary }: Pick<Runtime, "boundary">,
  documentation: PageSet,
  options: LinkOptions,
  call: TaskContext,
): Promise<LinkReport> {
  const { root, relativeFolder } = documentation;
  const tree = createRepoTree(root, boundary);
  const site = detectDocsSite(boundary, tree, relativeFolder);
  const targets = createLinkTargets(boundary, root, site);
  const problems: PageProblem[] = [];
  const pageLinks: { file: string; link: PageLink }[] = [];
  let filesScanned = 0;
  let stoppedAt = await visitPages(
    { boundary },
    documentation,
    call,
    ({ file, lines }) => {
      const page = parseMarkdownPage(lines, markdownFlavour(file, site));
      targets.add(file, lines, page);
      filesScanned++;
      for (const link of [...page.links].sort((a, b) => a.line - b.line))
        pageLinks.push({ file, link });
    },
    (problem) => problems.push(problem),
  );
  const resolveLink = createPageLinkResolver({ tree, docs: relativeFolder, site, targets });
  const links: CheckedLink[] = [];
  const timeSlice = openTimeSlice();
  for (const { file, link } of pageLinks) {
    if (call.signal.aborted) stoppedAt ??= file;
    else if (timeSlice.isOver()) await timeSlice.pass();
    const verdict = call.signal.aborted
      ? skippedLink("other", "the time limit was reached")
      : applyLinkOptions(resolveLink, file, link, options);
    links.push({ ...link, file, verdict });
  }
  if (options.outside) {
    const stoppedAtPage = await checkExternalLinks(links, options.outside, call.signal);
    stoppedAt ??= stoppedAtPage;
  }
  return { links, filesScanned, problems, site, stoppedAt };
}

function applyLinkOptions(
  resolveLink: PageLinkResolver,
  file: string,
  link: PageLink,
  options: LinkOptions,
): LinkVerdict {
  if (link.destination !== undefined && options.isIgnored(link.destination)) {
    return skippedLink("other", "it matches an ignore pattern");
  }
  const verdict = resolveLink(file, link);
  if (verdict.type === "internal" && !options.internal)
    return skippedLink("internal", "not requested");
  if (verdict.type === "anchor" && !options.anchors) return skippedLink("anchor", "not requested");
  const isAnchor = "fault" in verdict && /anchor|missing-line/.test(verdict.fault);
  return isAnchor && !options.anchors ? { status: "valid", type: verdict.type } : verdict;
}

/**
 * Replaces the verdicts of skipped external links by the results of requests, or by the reason why
 * none was sent. Returns the page at which a timeout stopped the check.
 */
async function checkExternalLinks(
  links: readonly CheckedLink[],
  { isHostAllowed, ...requestOptions }: NonNullable<LinkOptions["outside"]>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const externalLinks = links.flatMap((link) => {
    const url = link.verdict.status === "skipped" ? link.verdict.url : undefined;
    return url === undefined ? [] : [{ link, url: url.replace(/#.*$/s, "") }];
  });
  const allowed = new Set(
    externalLinks.map(({ url }) => url).filter((url) => isHostAllowed(hostOf(url))),
  );
  const requested = new Set([...allowed].slice(0, maxExternalUrls));
  const responses = await requestUrls(requested, { ...requestOptions, isHostAllowed, signal });
  let stoppedAt: string | undefined;
  for (const { link, url } of externalLinks) {
    const answer = responses.get(url);
    if (answer) link.verdict = externalVerdict(url, answer);
    else if (!allowed.has(url))
      link.verdict = notRequested(url, "its domain is not among the allowed ones");
    else if (!requested.has(url)) {
      link.verdict = notRequested(url, `at most ${maxExternalUrls} addresses are checked per call`);
    } else {
      link.verdict = notRequested(url, "the time limit was reached");
      stoppedAt ??= link.file;
    }
  }
  return stoppedAt;
}

const notRequested = (url: string, why: string): LinkVerdict => ({
  ...skippedLink("external", why),
  url,
});

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "");

function externalVerdict(url: string, answer: UrlResponse): LinkVerdict {
  const { statusCode, responseTime, problem, isPrivate } = answer;
  const response = { url, responseTime, ...(statusCode !== undefined && { statusCode }) };
  if (isPrivate) return { ...skippedLink("external", "it is in a private network"), ...response };
  if (statusCode !== undefined && statusCode < 400)
    return { status: "valid", type: "external", ...response };
  if (statusCode === 404 || statusCode === 410 || problem === "the host name does not exist") {
    const message = statusCode
      ? `The address responds with status ${statusCode}.`
      : `The address cannot be reached: ${problem}.`;
    const remedy = () => "Use the current address of the page, or remove the link.";
    return { ...faultyLink("external", "unreachable", message, remedy), ...response };
  }
  const message = statusCode
    ? `The address responds with status ${statusCode}.`
    : `No response: ${problem}.`;
  const remedy = () => "Open it in a browser: it may require a login, or be down temporarily.";
  return { ...faultyLink("external", "not-answered", message, remedy), ...response };
}
