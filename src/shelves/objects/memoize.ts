/**
 * Caches a function of an object for the lifetime of that object. Parsed records are immutable, so
 * results that depend only on them stay valid across views.
 */
export function memoize<Key extends object, Result>(
  compute: (key: Key) => Result,
): (key: Key) => Result {
  const results = new WeakMap<Key, { result: Result }>();
  return (key) => {
    const cached = results.get(key) ?? { result: compute(key) };
    results.set(key, cached);
    return cached.result;
  };
}
