/**
 * An address that a browser may be led to from a text of somebody else: a page or a letter, and
 * nothing that could run here.
 */
export function outside(written: string): string | undefined {
  const address = written.trim().replace(/^\/\//, "https://");
  if (!URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return ["http:", "https:", "mailto:"].includes(protocol) ? href : undefined;
}
