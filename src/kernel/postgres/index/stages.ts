import { missingData } from "./read-requests.ts";

/**
 * Work that is done again after missing data was read. The results of its stages are kept, so only
 * the stage that missed something is repeated.
 */
export interface Stages {
  /** Undefined if something is missing. */
  attempt<Result>(work: (stage: <Part>(part: () => Part) => Part) => Result): Result | undefined;
}

export function createStages(isMissing: () => boolean): Stages {
  const results: unknown[] = [];
  return {
    attempt(work) {
      let next = 0;
      const stage = <Part>(part: () => Part): Part => {
        const index = next++;
        if (index >= results.length) {
          const result = part();
          if (isMissing()) throw missingData;
          results.push(result);
        }
        return results[index] as Part;
      };
      try {
        return work(stage);
      } catch (error) {
        if (error === missingData) return undefined;
        throw error;
      }
    },
  };
}
