import { parseHTML } from "linkedom";

/** The part of the DOM that is used here: the DOM types are not part of this project's `lib`. */
export interface HtmlElement {
  readonly tagName: string;
  readonly textContent: string | null;
  readonly parentNode: HtmlElement | null;
  readonly nextSibling: unknown;
  closest(selector: string): HtmlElement | null;
  querySelector(selector: string): HtmlElement | null;
  querySelectorAll(selector: string): Iterable<HtmlElement>;
  getAttribute(name: string): string | null;
  removeAttribute(name: string): void;
  remove(): void;
}

export interface HtmlPage extends HtmlElement {
  readonly documentElement: HtmlElement;
}

/** Parses a page or a fragment. Loads no resources and runs no scripts. */
export function parseHtml(html: string): HtmlPage {
  const page = /<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  const { document }: { document: HtmlPage } = parseHTML(expandSelfClosingTags(page));
  return document;
}

/** XHTML allows `<title/>`, but an HTML parser would treat the whole page as the title. */
function expandSelfClosingTags(html: string): string {
  return html.replace(/<([a-z][^\s<>/]*)((?:\s[^<>]*)?)\/>/gi, (tag, name: string, rest: string) =>
    voidTags.has(name.toLowerCase()) ? tag : `<${name}${rest}></${name}>`,
  );
}

const voidTags = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);

/** Elements without visible text, and navigation. */
const hiddenSelectors = [
  ...["script", "style", "noscript", "template", "head", "title", "nav", "[role=navigation]"],
  ...["iframe", "object", "embed", "svg", "canvas", "audio", "video", "map"],
  ...["button", "select", "input", "textarea", "datalist", "[hidden]", "[aria-hidden=true]"],
].join(",");

export function removeHiddenElements(page: HtmlElement): void {
  for (const element of [...page.querySelectorAll(hiddenSelectors)]) element.remove();
}
