/** Makes names unique: a second `Hope` becomes `Hope (2)`. */
export function createUniqueNamer(): (name: string) => string {
  const used = new Set<string>();
  const last = new Map<string, number>();
  return (given) => {
    let name = given;
    let number = last.get(given) ?? 1;
    while (used.has(name)) {
      number += 1;
      name = `${given} (${number})`;
    }
    last.set(given, number);
    used.add(name);
    return name;
  };
}
