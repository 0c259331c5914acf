import type { House } from "../../kernel/house.ts";
import { type PageLink, readPage } from "../../text/markdown/page.ts";
import { type Documentation, type PageProblem, throughPages } from "./doc-pages.ts";
import { type DocsSite, flavourOf, siteOf } from "./docs-site.ts";
import { type LinkJudge, makeJudge } from "./link-judge.ts";
import { openTargets } from "./link-targets.ts";
import { faulty, type LinkVerdict, skipped } from "./link-verdict.ts";
import type { Telling } from "./long-work.ts";
import { askOutside, type OutsideAnswer } from "./outside-links.ts";
import { openTree } from "./repository-tree.ts";
import { openTurn } from "./turn.ts";

/** A link with what was found out about it. */
export interface CheckedLink extends PageLink {
  file: string;
  verdict: LinkVerdict;
}

export interface LinkReport {
  /** In the order of files and lines. */
  links: CheckedLink[];
  filesScanned: number;
  problems: PageProblem[];
  site: DocsSite | undefined;
  /** The page at which the time was over. */
  stoppedAt: string | undefined;
}

export interface LinkOptions {
  internal: boolean;
  anchors: boolean;
  /** Asks the web, where a person has allowed it. */
  outside?: { timeoutMs: number; concurrency: number; mayAskHost: (host: string) => boolean };
  isIgnored: (destination: string) => boolean;
}

/** Addresses of the web that are asked in one call. */
const mostOutside = 2_000;

/** Reads all pages first, since a link may lead to any of them, and judges their links then. */
export async function checkLinks(
  { boundary }: Pick<House, "boundary">,
  documentation: Documentation,
  options: LinkOptions,
  call: Telling,
): Promise<LinkReport> {
  const { root, below } = documentation;
  const tree = openTree(root, boundary);
  const site = siteOf(boundary, tree, below);
  const targets = openTargets(boundary, root, site);
  const problems: PageProblem[] = [];
  const found: { file: string; link: PageLink }[] = [];
  let filesScanned = 0;
  let stoppedAt = await throughPages(
    { boundary },
    documentation,
    call,
    ({ file, lines }) => {
      const page = readPage(lines, flavourOf(file, site));
      targets.add(file, lines, page);
      filesScanned++;
      for (const link of [...page.links].sort((a, b) => a.line - b.line))
        found.push({ file, link });
    },
    (problem) => problems.push(problem),
  );
  const judge = makeJudge({ tree, docs: below, site, targets });
  const links: CheckedLink[] = [];
  const turn = openTurn();
  for (const { file, link } of found) {
    if (call.signal.aborted) stoppedAt ??= file;
    else if (turn.isOver()) await turn.pass();
    const verdict = call.signal.aborted
      ? skipped("other", "the time was over")
      : judged(judge, file, link, options);
    links.push({ ...link, file, verdict });
  }
  if (options.outside) {
    const unheard = await askTheWeb(links, options.outside, call.signal);
    stoppedAt ??= unheard;
  }
  return { links, filesScanned, problems, site, stoppedAt };
}

function judged(judge: LinkJudge, file: string, link: PageLink, options: LinkOptions): LinkVerdict {
  if (link.destination !== undefined && options.isIgnored(link.destination)) {
    return skipped("other", "a pattern leaves it out");
  }
  const verdict = judge(file, link);
  if (verdict.type === "internal" && !options.internal) return skipped("internal", "not asked for");
  if (verdict.type === "anchor" && !options.anchors) return skipped("anchor", "not asked for");
  const isAnchor = "fault" in verdict && /anchor|missing-line/.test(verdict.fault);
  return isAnchor && !options.anchors ? { status: "valid", type: verdict.type } : verdict;
}

/**
 * Puts answers of the web in the place of verdicts that left them open, and the reason where nobody
 * was asked. Gives the page at which the time was over.
 */
async function askTheWeb(
  links: readonly CheckedLink[],
  { mayAskHost, ...how }: NonNullable<LinkOptions["outside"]>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const open = links.flatMap((link) => {
    const url = link.verdict.status === "skipped" ? link.verdict.url : undefined;
    return url === undefined ? [] : [{ link, url: url.replace(/#.*$/s, "") }];
  });
  const allowed = new Set(open.map(({ url }) => url).filter((url) => mayAskHost(hostOf(url))));
  const asked = new Set([...allowed].slice(0, mostOutside));
  const answers = await askOutside(asked, { ...how, mayAskHost, signal });
  let stoppedAt: string | undefined;
  for (const { link, url } of open) {
    const answer = answers.get(url);
    if (answer) link.verdict = verdictOn(url, answer);
    else if (!allowed.has(url)) link.verdict = unasked(url, "its domain is none of those to ask");
    else if (!asked.has(url)) {
      link.verdict = unasked(url, `no more than ${mostOutside} addresses are asked at once`);
    } else {
      link.verdict = unasked(url, "the time was over");
      stoppedAt ??= link.file;
    }
  }
  return stoppedAt;
}

const unasked = (url: string, why: string): LinkVerdict => ({ ...skipped("external", why), url });

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "");

function verdictOn(url: string, answer: OutsideAnswer): LinkVerdict {
  const { statusCode, responseTime, problem, isPrivate } = answer;
  const seen = { url, responseTime, ...(statusCode !== undefined && { statusCode }) };
  if (isPrivate) return { ...skipped("external", "it lies in a private network"), ...seen };
  if (statusCode !== undefined && statusCode < 400)
    return { status: "valid", type: "external", ...seen };
  if (statusCode === 404 || statusCode === 410 || problem === "there is no machine of this name") {
    const message = statusCode
      ? `The address answers ${statusCode}.`
      : `The address cannot be reached: ${problem}.`;
    const remedy = () => "Give the address that the page has now, or leave the link out.";
    return { ...faulty("external", "unreachable", message, remedy), ...seen };
  }
  const message = statusCode ? `The address answers ${statusCode}.` : `No answer: ${problem}.`;
  const remedy = () => "Open it in a browser: it may ask for a login, or be down for now.";
  return { ...faulty("external", "not-answered", message, remedy), ...seen };
}
