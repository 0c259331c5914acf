import type { LookupAddress, LookupOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import { openStop } from "../../kernel/stop-signal.ts";

/** What an address of the web answered. */
export interface OutsideAnswer {
  statusCode?: number;
  /** Milliseconds. */
  responseTime: number;
  /** Why there is no status. */
  problem?: string;
  /** True where nobody was asked, because the address lies in a private network. */
  isPrivate?: true;
}

export interface OutsideOptions {
  timeoutMs: number;
  concurrency: number;
  signal: AbortSignal;
  /** Whether a machine with this IP address may be asked. */
  mayAsk?: (address: string) => boolean;
  /** Whether a host may be asked that another one sends us to. */
  mayAskHost?: (host: string) => boolean;
}

/** Asks each address once, a few at a time. What did not answer before the signal is left out. */
export async function askOutside(
  urls: Iterable<string>,
  options: OutsideOptions,
): Promise<Map<string, OutsideAnswer>> {
  const answers = new Map<string, OutsideAnswer>();
  const waiting = [...new Set(urls)].reverse();
  const worker = async (): Promise<void> => {
    for (let url = waiting.pop(); url && !options.signal.aborted; url = waiting.pop()) {
      const started = performance.now();
      const answer = await ask(url, options);
      const isCut = options.signal.aborted && answer.statusCode === undefined;
      if (isCut) continue;
      answers.set(url, { ...answer, responseTime: Math.round(performance.now() - started) });
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, worker));
  return answers;
}

const mostRedirects = 5;

type Answer = Omit<OutsideAnswer, "responseTime">;

/** The head is asked for first; servers that do not know the question are asked for the page. */
async function ask(given: string, options: OutsideOptions): Promise<Answer> {
  let url = given;
  for (let step = 0; step <= mostRedirects; step++) {
    let answer = await request(url, "HEAD", options);
    if ([400, 403, 404, 405, 501].includes(answer.statusCode ?? 0)) {
      answer = await request(url, "GET", options);
    }
    const { location, ...rest } = answer;
    const isRedirect = (rest.statusCode ?? 0) >= 300 && (rest.statusCode ?? 0) < 400;
    if (!isRedirect || location === undefined) return rest;
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
    if (!next || !/^https?:$/.test(next.protocol)) return { problem: "it redirects to nowhere" };
    // That it has moved is an answer of its own, where nobody may look further.
    if (options.mayAskHost?.(next.hostname) === false) return rest;
    url = next.href;
  }
  return { problem: `it redirects more than ${mostRedirects} times` };
}

function request(
  given: string,
  method: "HEAD" | "GET",
  { timeoutMs, signal, mayAsk = isPublic }: OutsideOptions,
): Promise<Answer & { location?: string }> {
  if (!URL.canParse(given)) return Promise.resolve({ problem: "it is no address" });
  const url = new URL(given);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const { isIP } = process.getBuiltinModule("node:net");
  if (isIP(host) !== 0 && !mayAsk(host)) return Promise.resolve(inPrivateNetwork);
  const module = url.protocol === "https:" ? "node:https" : "node:http";
  const client = process.getBuiltinModule(module);
  const stop = openStop([signal], timeoutMs);
  return new Promise<Answer & { location?: string }>((resolve) => {
    const asked = client.request(
      url,
      {
        method,
        agent: false,
        lookup: lookupAmong(mayAsk),
        signal: stop.signal,
        headers: { "user-agent": "lectern-link-check", accept: "*/*" },
      },
      ({ statusCode, headers: { location } }) => {
        asked.destroy();
        resolve({ ...(statusCode && { statusCode }), ...(location !== undefined && { location }) });
      },
    );
    asked.on("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === privateCode ? inPrivateNetwork : { problem: wordsFor(error) });
    });
    asked.end();
  }).finally(stop.release);
}

const privateCode = "EPRIVATE";

const inPrivateNetwork = { problem: "it lies in a private network", isPrivate: true } as const;

function wordsFor(error: NodeJS.ErrnoException): string {
  if (error.name === "AbortError" || error.name === "TimeoutError")
    return "it did not answer in time";
  if (error.code === "ENOTFOUND") return "there is no machine of this name";
  if (error.code === "ECONNREFUSED") return "the machine refuses to answer";
  return "it could not be reached";
}

/** A name is looked up once, and only addresses that may be asked are handed on: no name is trusted. */
function lookupAmong(mayAsk: (address: string) => boolean): LookupFunction {
  return (host, options: LookupOptions, done) => {
    const { lookup } = process.getBuiltinModule("node:dns");
    lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const admitted = error ? [] : found.filter(({ address }) => mayAsk(address));
      const [first] = admitted;
      if (error) done(error, "", 0);
      else if (!first) done(Object.assign(new Error("private"), { code: privateCode }), "", 0);
      else if (options.all) done(null, admitted);
      else done(null, first.address, first.family);
    });
  };
}

/** Networks that no documentation speaks of to the world: this machine, this house, this link. */
const privateNetworks: readonly [string, number, "ipv4" | "ipv6"][] = [
  ["0.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["127.0.0.0", 8, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.0.0.0", 24, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["198.18.0.0", 15, "ipv4"],
  ["224.0.0.0", 3, "ipv4"],
  ["::", 127, "ipv6"],
  ["64:ff9b::", 96, "ipv6"],
  ["fc00::", 7, "ipv6"],
  ["fe80::", 10, "ipv6"],
  ["ff00::", 8, "ipv6"],
];

export function isPublic(address: string): boolean {
  const { BlockList, isIPv6 } = process.getBuiltinModule("node:net");
  const list = new BlockList();
  for (const network of privateNetworks) list.addSubnet(...network);
  return !list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
