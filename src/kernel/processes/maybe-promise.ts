/** A value, or a promise of one where it must be awaited. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Continues at once with a value, so that nothing can run in between; later with a promise. */
export const whenReady = <Value, Result>(
  value: MaybePromise<Value>,
  proceed: (value: Value) => Result,
): MaybePromise<Awaited<Result>> =>
  (value instanceof Promise ? value.then(proceed) : proceed(value)) as MaybePromise<
    Awaited<Result>
  >;
