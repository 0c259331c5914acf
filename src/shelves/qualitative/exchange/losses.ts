import * as z from "zod";

/** Data that a format cannot represent, or only in another form. */
export const Loss = z.object({
  kind: z.enum(["dropped", "changed", "renamed", "re-anchored", "missing"]),
  what: z.string(),
  count: z.int(),
  /** A few examples. */
  examples: z.array(z.string()),
});

type LossKind = z.infer<typeof Loss>["kind"];

/** Collects losses during an import or export, grouped, with a few examples each. */
export interface LossReport {
  add(kind: LossKind, what: string, example?: string, count?: number): void;
  list(): z.infer<typeof Loss>[];
}

const maxExamples = 10;
const maxExampleLength = 120;

export function createLossReport(): LossReport {
  const known = new Map<string, z.infer<typeof Loss>>();
  return {
    add(kind, what, example, count = 1) {
      if (count === 0) return;
      const loss = known.get(`${kind} ${what}`) ?? { kind, what, count: 0, examples: [] };
      loss.count += count;
      if (example && loss.examples.length < maxExamples) {
        loss.examples.push(example.slice(0, maxExampleLength).toWellFormed());
      }
      known.set(`${kind} ${what}`, loss);
    },
    list: () => [...known.values()],
  };
}

export const formatLosses = (losses: readonly z.infer<typeof Loss>[]): string[] =>
  losses.map(({ kind, what, count, examples }) => {
    const some = examples.length > 0 ? `: ${examples.join("; ")}` : "";
    const more = examples.length > 0 && count > examples.length ? "; …" : "";
    return `${kind} (${count}) ${what}${some}${more}`;
  });
