import { parseHTML } from "linkedom";

/** As much of a browser's document as is used here; this project knows no browser's names. */
export interface PageElement {
  readonly tagName: string;
  readonly textContent: string | null;
  readonly parentNode: PageElement | null;
  readonly nextSibling: unknown;
  closest(selector: string): PageElement | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  getAttribute(name: string): string | null;
  removeAttribute(name: string): void;
  remove(): void;
}

export interface Page extends PageElement {
  readonly documentElement: PageElement;
}

/** Reads a page or a piece of one. Nothing that it refers to is loaded, and no script is run. */
export function readPage(html: string): Page {
  const whole = /<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  const { document }: { document: Page } = parseHTML(closedTags(whole));
  return document;
}

/** `<title/>` is closed in XHTML; a reader of HTML would take the whole page for its title. */
function closedTags(html: string): string {
  return html.replace(/<([a-z][^\s<>/]*)((?:\s[^<>]*)?)\/>/gi, (tag, name: string, rest: string) =>
    voidTags.has(name.toLowerCase()) ? tag : `<${name}${rest}></${name}>`,
  );
}

const voidTags = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);

/** What a reader of the page does not read. */
const unread = [
  ...["script", "style", "noscript", "template", "head", "title", "nav", "[role=navigation]"],
  ...["iframe", "object", "embed", "svg", "canvas", "audio", "video", "map"],
  ...["button", "select", "input", "textarea", "datalist", "[hidden]", "[aria-hidden=true]"],
].join(",");

export function removeUnread(page: PageElement): void {
  for (const element of [...page.querySelectorAll(unread)]) element.remove();
}
