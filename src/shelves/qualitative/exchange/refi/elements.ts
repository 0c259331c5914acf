import type { XmlElement } from "../../../../kernel/formats/containers/xml.ts";
import { qualcoderDate } from "../../project/coder.ts";
import { readGuid } from "../guid.ts";

export const childElements = (element: XmlElement | undefined, ...names: string[]): XmlElement[] =>
  (element?.children ?? []).filter(
    (child): child is XmlElement => typeof child !== "string" && names.includes(child.name),
  );

export const childElement = (
  element: XmlElement | undefined,
  name: string,
): XmlElement | undefined => childElements(element, name)[0];

/** An element and all its descendants, in any order. */
export function* walkElements(element: XmlElement): Generator<XmlElement> {
  const waiting = [element];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    for (const child of next.children) if (typeof child !== "string") waiting.push(child);
  }
}

/** The text content of an element. */
export const elementText = (element: XmlElement | undefined): string =>
  (element?.children ?? [])
    .map((child) => (typeof child === "string" ? child : elementText(child)))
    .join("");

export const elementAttribute = (element: XmlElement, name: string): string | undefined =>
  element.attributes.get(name);

/** The lookup key of a GUID: programs differ in braces and letter case. */
const guidKeyOf = (guid: string | undefined): string =>
  (readGuid(guid) ?? guid ?? "").toLowerCase();

export const elementKey = (element: XmlElement, name = "guid"): string =>
  guidKeyOf(elementAttribute(element, name));

/** The keys that child elements of this name refer to. */
export const targetKeys = (element: XmlElement, name: string): string[] =>
  childElements(element, name).map((reference) => elementKey(reference, "targetGUID"));

export function integerAttribute(element: XmlElement, name: string): number {
  const reference = elementAttribute(element, name) ?? "";
  return /^-?\d{1,15}$/.test(reference) ? Number(reference) : Number.NaN;
}

/** Converts a date to QualCoder's format; a date with a time zone becomes local time. */
export function toQualcoderDate(date: string | undefined): string | undefined {
  const [, day, time, zone] =
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/.exec(date ?? "") ?? [];
  if (day === undefined || date === undefined) return undefined;
  if (zone === undefined) return `${day} ${time}`;
  const moment = new Date(date);
  return Number.isNaN(moment.getTime()) ? undefined : qualcoderDate(moment);
}
