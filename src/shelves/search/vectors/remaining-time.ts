import { pluralise } from "../../../text/strings/pluralise.ts";

/** Before that, the time to load the model would dominate the estimate. */
const minElapsedMs = 3_000;

/**
 * Returns a function that estimates the remaining time, such as `about 4 minutes left`, from the
 * share of the work that is done. The estimate is undefined for the first seconds.
 */
export function createTimeEstimate(
  total: number,
  now = () => performance.now(),
): (done: number) => string | undefined {
  const start = now();
  return (done) => {
    const elapsed = now() - start;
    if (elapsed < minElapsedMs || done <= 0 || done >= total) return undefined;
    return `about ${durationText((elapsed * (total - done)) / done)} left`;
  };
}

function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 90) return pluralise(seconds, "second");
  const minutes = Math.round(seconds / 60);
  return minutes < 90
    ? pluralise(minutes, "minute")
    : `${(minutes / 60).toFixed(1).replace(/\.0$/, "")} hours`;
}
