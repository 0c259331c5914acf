import * as z from "zod";

/** What a format could not carry, or could carry only otherwise. */
export const Loss = z.object({
  kind: z.enum(["dropped", "changed", "renamed", "re-anchored", "missing"]),
  what: z.string(),
  count: z.int(),
  /** Some of them. */
  examples: z.array(z.string()),
});

type LossKind = z.infer<typeof Loss>["kind"];

/** Gathers losses while a project is read or written: like ones together, with a few examples. */
export interface Losses {
  add(kind: LossKind, what: string, example?: string, count?: number): void;
  list(): z.infer<typeof Loss>[];
}

const mostExamples = 10;
const longestExample = 120;

export function keepLosses(): Losses {
  const known = new Map<string, z.infer<typeof Loss>>();
  return {
    add(kind, what, example, count = 1) {
      if (count === 0) return;
      const loss = known.get(`${kind} ${what}`) ?? { kind, what, count: 0, examples: [] };
      loss.count += count;
      if (example && loss.examples.length < mostExamples) {
        loss.examples.push(example.slice(0, longestExample).toWellFormed());
      }
      known.set(`${kind} ${what}`, loss);
    },
    list: () => [...known.values()],
  };
}

/** The report as lines for a reader. */
export const lossLines = (losses: readonly z.infer<typeof Loss>[]): string[] =>
  losses.map(({ kind, what, count, examples }) => {
    const some = examples.length > 0 ? `: ${examples.join("; ")}` : "";
    const more = examples.length > 0 && count > examples.length ? "; …" : "";
    return `${kind} (${count}) ${what}${some}${more}`;
  });
