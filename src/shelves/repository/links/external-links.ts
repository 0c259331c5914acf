import type { LookupAddress, LookupOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import { openStopSignal } from "../../../kernel/calls/stop-signal.ts";

/** The response of a URL. */
export interface UrlResponse {
  statusCode?: number;
  /** Milliseconds. */
  responseTime: number;
  /** The reason why there is no status. */
  problem?: string;
  /** True if no request was sent because the address is in a private network. */
  isPrivate?: true;
}

export interface UrlCheckOptions {
  timeoutMs: number;
  concurrency: number;
  signal: AbortSignal;
  /** Whether requests to this IP address are allowed. */
  isAddressAllowed?: (address: string) => boolean;
  /** Whether redirects to this host are allowed. */
  isHostAllowed?: (host: string) => boolean;
}

/**
 * Requests each URL once with limited concurrency. URLs without a response before the signal are
 * omitted.
 */
export async function requestUrls(
  urls: Iterable<string>,
  options: UrlCheckOptions,
): Promise<Map<string, UrlResponse>> {
  const answers = new Map<string, UrlResponse>();
  const queue = [...new Set(urls)].reverse();
  const worker = async (): Promise<void> => {
    for (let url = queue.pop(); url && !options.signal.aborted; url = queue.pop()) {
      const started = performance.now();
      const answer = await requestFollowingRedirects(url, options);
      const isAborted = options.signal.aborted && answer.statusCode === undefined;
      if (isAborted) continue;
      answers.set(url, { ...answer, responseTime: Math.round(performance.now() - started) });
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, worker));
  return answers;
}

const maxRedirects = 5;

type UrlOutcome = Omit<UrlResponse, "responseTime">;

/** Sends HEAD first, and GET if the server does not support HEAD. */
async function requestFollowingRedirects(
  address: string,
  options: UrlCheckOptions,
): Promise<UrlOutcome> {
  let url = address;
  for (let step = 0; step <= maxRedirects; step++) {
    let answer = await request(url, "HEAD", options);
    if ([400, 403, 404, 405, 501].includes(answer.statusCode ?? 0)) {
      answer = await request(url, "GET", options);
    }
    const { location, ...rest } = answer;
    const isRedirect = (rest.statusCode ?? 0) >= 300 && (rest.statusCode ?? 0) < 400;
    if (!isRedirect || location === undefined) return rest;
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
    if (!next || !/^https?:$/.test(next.protocol))
      return { problem: "it redirects to an invalid address" };
    // A redirect to a host that may not be requested is itself the result.
    if (options.isHostAllowed?.(next.hostname) === false) return rest;
    url = next.href;
  }
  return { problem: `it redirects more than ${maxRedirects} times` };
}

function request(
  address: string,
  method: "HEAD" | "GET",
  { timeoutMs, signal, isAddressAllowed = isPublicAddress }: UrlCheckOptions,
): Promise<UrlOutcome & { location?: string }> {
  if (!URL.canParse(address)) return Promise.resolve({ problem: "it is not a valid URL" });
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const { isIP } = process.getBuiltinModule("node:net");
  if (isIP(host) !== 0 && !isAddressAllowed(host)) return Promise.resolve(inPrivateNetwork);
  const module = url.protocol === "https:" ? "node:https" : "node:http";
  const client = process.getBuiltinModule(module);
  const stop = openStopSignal([signal], timeoutMs);
  return new Promise<UrlOutcome & { location?: string }>((resolve) => {
    const clientRequest = client.request(
      url,
      {
        method,
        agent: false,
        lookup: createFilteredLookup(isAddressAllowed),
        signal: stop.signal,
        headers: { "user-agent": "lectern-link-check", accept: "*/*" },
      },
      ({ statusCode, headers: { location } }) => {
        clientRequest.destroy();
        resolve({ ...(statusCode && { statusCode }), ...(location !== undefined && { location }) });
      },
    );
    clientRequest.on("error", (error: NodeJS.ErrnoException) => {
      resolve(
        error.code === privateCode ? inPrivateNetwork : { problem: describeNetworkError(error) },
      );
    });
    clientRequest.end();
  }).finally(stop.release);
}

const privateCode = "EPRIVATE";

const inPrivateNetwork = { problem: "it is in a private network", isPrivate: true } as const;

function describeNetworkError(error: NodeJS.ErrnoException): string {
  if (error.name === "AbortError" || error.name === "TimeoutError")
    return "it did not respond in time";
  if (error.code === "ENOTFOUND") return "the host name does not exist";
  if (error.code === "ECONNREFUSED") return "the host refuses the connection";
  return "it could not be reached";
}

/** Resolves a host name once and passes on only allowed addresses, which prevents DNS rebinding. */
function createFilteredLookup(isAddressAllowed: (address: string) => boolean): LookupFunction {
  return (host, options: LookupOptions, done) => {
    const { lookup } = process.getBuiltinModule("node:dns");
    lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const allowed = error ? [] : found.filter(({ address }) => isAddressAllowed(address));
      const [first] = allowed;
      if (error) done(error, "", 0);
      else if (!first) done(Object.assign(new Error("private"), { code: privateCode }), "", 0);
      else if (options.all) done(null, allowed);
      else done(null, first.address, first.family);
    });
  };
}

/** Address ranges that are never public: loopback, private, link-local, multicast and reserved. */
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

export function isPublicAddress(address: string): boolean {
  const { BlockList, isIPv6 } = process.getBuiltinModule("node:net");
  const list = new BlockList();
  for (const network of privateNetworks) list.addSubnet(...network);
  return !list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
