/**
 * The URL of a link in an untrusted text, if it is safe to open: http, https or mailto, but nothing
 * that could run script, such as `javascript:`.
 */
export function externalUrl(destination: string): string | undefined {
  const address = destination.trim().replace(/^\/\//, "https://");
  if (!URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return ["http:", "https:", "mailto:"].includes(protocol) ? href : undefined;
}
