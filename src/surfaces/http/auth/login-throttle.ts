import { isIPv6 } from "node:net";

/** Limits wrong credentials per sender (token bucket). */
export interface LoginThrottle {
  /** Seconds until the sender may try again; 0 if it may try now. */
  waitSeconds(sender: string): number;
  /** Records a wrong credential. */
  recordFailure(sender: string): void;
}

export interface LoginThrottleOptions {
  /** Wrong credentials that are allowed without waiting. */
  burst?: number;
  /** The time after which one more is allowed. */
  refillMs?: number;
  /** Maximum number of senders to remember; the one that failed least recently is dropped first. */
  maxSenders?: number;
  now?: () => number;
}

export function createLoginThrottle({
  burst = 10,
  refillMs = 6_000,
  maxSenders = 1_024,
  now = () => performance.now(),
}: LoginThrottleOptions = {}): LoginThrottle {
  /** The time at which each sender has its full burst again. */
  const refilledAt = new Map<string, number>();
  const debtOf = (sender: string) => Math.max(0, (refilledAt.get(networkOf(sender)) ?? 0) - now());
  return {
    waitSeconds(sender) {
      const excess = debtOf(sender) - (burst - 1) * refillMs;
      return excess > 0 ? Math.ceil(excess / 1_000) : 0;
    },
    recordFailure(sender) {
      const until = now() + debtOf(sender) + refillMs;
      refilledAt.delete(networkOf(sender));
      refilledAt.set(networkOf(sender), until);
      const [first] = refilledAt.keys();
      if (refilledAt.size > maxSenders && first !== undefined) refilledAt.delete(first);
    },
  };
}

/**
 * The key by which failures are counted. A machine can usually choose among all IPv6 addresses of
 * its /64 network, so only the first 64 bits count. An IPv4-mapped address counts as IPv4.
 */
function networkOf(sender: string): string {
  const address = sender.replace(/%.*$/, "");
  if (!isIPv6(address)) return sender;
  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [before = "", after] = hex.split("::");
  const parse = (part: string): number[] =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  if (after === undefined) return parse(before);
  const [first, last] = [parse(before), parse(after)];
  return [...first, ...Array(Math.max(0, 8 - first.length - last.length)).fill(0), ...last];
}
