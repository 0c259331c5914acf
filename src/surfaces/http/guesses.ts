/** Slows down whoever shows wrong credentials, each sender for itself. */
export interface Guesses {
  /** Seconds that a sender has to wait before another try; 0 where it need not. */
  waitOf(sender: string): number;
  /** Notes a wrong credential. */
  note(sender: string): void;
}

export interface GuessOptions {
  /** Wrong credentials that are free. */
  burst?: number;
  /** How long it takes until one more is free. */
  refillMs?: number;
  /** The most senders that are remembered; the one noted longest ago is forgotten first. */
  maxSenders?: number;
  now?: () => number;
}

export function countGuesses({
  burst = 10,
  refillMs = 6_000,
  maxSenders = 1_024,
  now = () => performance.now(),
}: GuessOptions = {}): Guesses {
  /** When each sender's tries are all free again. */
  const restored = new Map<string, number>();
  const debtOf = (sender: string) => Math.max(0, (restored.get(networkOf(sender)) ?? 0) - now());
  return {
    waitOf(sender) {
      const over = debtOf(sender) - (burst - 1) * refillMs;
      return over > 0 ? Math.ceil(over / 1_000) : 0;
    },
    note(sender) {
      const until = now() + debtOf(sender) + refillMs;
      restored.delete(networkOf(sender));
      restored.set(networkOf(sender), until);
      const [first] = restored.keys();
      if (restored.size > maxSenders && first !== undefined) restored.delete(first);
    },
  };
}

/** One machine has a whole network of IPv6 addresses to choose from: its first 64 bits count. */
const networkOf = (sender: string): string =>
  /^[0-9a-f:]*:[0-9a-f:]*$/i.test(sender) ? sender.split(":").slice(0, 4).join(":") : sender;
