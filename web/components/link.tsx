import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Address, hrefOf, navigate } from "../app/address.ts";

interface LinkProps {
  to: Address;
  class?: string;
  "aria-current"?: "page" | "true" | undefined;
  children: ComponentChildren;
}

/** A link to another view of the page. With a modifier key the browser opens it as usual. */
export function Link({ to, ...rest }: LinkProps) {
  return (
    <a
      href={hrefOf(to)}
      {...rest}
      onClick={(event: MouseEvent) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        navigate(to);
      }}
    />
  );
}

/**
 * Focuses a heading that replaces another one, if the focus was lost with the old one. It is a layout
 * effect, so that the focus moves before the paint and never after the user's next key.
 */
export function useReplacedHeadingFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}

/** Focuses the heading of a view whenever the view changes, also before the paint. */
export function useHeadingFocus(view: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true });
    if (view) scrollTo(0, 0);
  }, [view]);
  return heading;
}
