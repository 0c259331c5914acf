import type { XmlElement } from "../../../kernel/formats/xml.ts";
import { dateNow } from "../coder.ts";
import { readGuid } from "./guid.ts";

export const childrenOf = (element: XmlElement | undefined, ...names: string[]): XmlElement[] =>
  (element?.children ?? []).filter(
    (child): child is XmlElement => typeof child !== "string" && names.includes(child.name),
  );

export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  childrenOf(element, name)[0];

/** An element and all that stands below it, in no promised order. */
export function* everyElement(element: XmlElement): Generator<XmlElement> {
  const waiting = [element];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    for (const child of next.children) if (typeof child !== "string") waiting.push(child);
  }
}

/** The words of an element, letter by letter. */
export const wordsIn = (element: XmlElement | undefined): string =>
  (element?.children ?? [])
    .map((child) => (typeof child === "string" ? child : wordsIn(child)))
    .join("");

export const attributeOf = (element: XmlElement, name: string): string | undefined =>
  element.attributes.get(name);

/** What a GUID is looked up by: programs differ in braces and in upper and lower case. */
const keyOf = (given: string | undefined): string => (readGuid(given) ?? given ?? "").toLowerCase();

export const keyIn = (element: XmlElement, name = "guid"): string =>
  keyOf(attributeOf(element, name));

/** The things that an element refers to, by elements of this name. */
export const targetsOf = (element: XmlElement, name: string): string[] =>
  childrenOf(element, name).map((reference) => keyIn(reference, "targetGUID"));

export function numberOf(element: XmlElement, name: string): number {
  const given = attributeOf(element, name) ?? "";
  return /^-?\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
}

/** A date as QualCoder writes it; one with a zone becomes local time. */
export function dateOf(given: string | undefined): string | undefined {
  const [, day, time, zone] =
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/.exec(given ?? "") ?? [];
  if (day === undefined || given === undefined) return undefined;
  if (zone === undefined) return `${day} ${time}`;
  const moment = new Date(given);
  return Number.isNaN(moment.getTime()) ? undefined : dateNow(moment);
}
