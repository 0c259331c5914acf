/**
 * How many numbers a model's vectors have. Until somebody knows, nobody is asked: the configuration
 * may say it, vectors that are kept do, and otherwise the model's first answer.
 */
export interface Dimensions {
  readonly known: number | undefined;
  /** Whether vectors of this length fit to those before; the first to come decides. */
  fits(length: number): boolean;
}

export function makeDimensions(kept: () => number | undefined, configured?: number): Dimensions {
  let known = configured;
  const find = (): number | undefined => {
    known ??= kept();
    return known;
  };
  return {
    get known() {
      return find();
    },
    fits(length) {
      known = find() ?? length;
      return known === length;
    },
  };
}
