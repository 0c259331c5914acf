/**
 * The dimensions of a model's vectors: from the configuration, else from stored vectors, else from
 * the model's first answer.
 */
export interface VectorDimensions {
  readonly known: number | undefined;
  /** Whether vectors of this length match the known dimensions; sets them if unknown. */
  accepts(length: number): boolean;
}

export function createVectorDimensions(
  findStored: () => number | undefined,
  configured?: number,
): VectorDimensions {
  let known = configured;
  const find = (): number | undefined => {
    known ??= findStored();
    return known;
  };
  return {
    get known() {
      return find();
    },
    accepts(length) {
      known = find() ?? length;
      return known === length;
    },
  };
}
