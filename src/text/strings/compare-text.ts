/** Compares strings by UTF-16 units: the order is the same on every machine and in every locale. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
