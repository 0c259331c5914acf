/** Gives each name once: a second `Hope` becomes `Hope (2)`. */
export function uniqueNames(): (given: string) => string {
  const taken = new Set<string>();
  const last = new Map<string, number>();
  return (given) => {
    let name = given;
    let number = last.get(given) ?? 1;
    while (taken.has(name)) {
      number += 1;
      name = `${given} (${number})`;
    }
    last.set(given, number);
    taken.add(name);
    return name;
  };
}
