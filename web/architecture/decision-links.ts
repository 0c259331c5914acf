import { parseLinkDestination, resolveInside } from "../../src/text/markdown/link-destination.ts";
import type { Address } from "../app/address.ts";
import { externalUrl } from "../markdown/external-url.ts";
import { architectureAddress, decisionAddress } from "./architecture-address.ts";

/**
 * The target of a link in a document: another decision, an architecture document or an external
 * URL. Undefined if the link cannot be opened here.
 */
export function resolveDecisionLink(
  file: string,
  destination: string,
  decisions: ReadonlyMap<string, unknown>,
): Address | string | undefined {
  if (/^architecture:\/\//.test(destination)) return architectureAddress("document", destination);
  const link = parseLinkDestination(destination);
  if (link.kind !== "local") return externalUrl(destination);
  const target = resolveInside(link, file);
  return target !== undefined && decisions.has(target) ? decisionAddress(target) : undefined;
}
