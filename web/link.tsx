import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Address, go, hrefOf } from "./address.ts";

interface LinkProps {
  to: Address;
  class?: string;
  "aria-current"?: "page" | "true" | undefined;
  children: ComponentChildren;
}

/** A way to another view of the page; in a new window as any other link, where somebody asks so. */
export function Link({ to, ...rest }: LinkProps) {
  return (
    <a
      href={hrefOf(to)}
      {...rest}
      onClick={(event: MouseEvent) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        go(to);
      }}
    />
  );
}

/** For a heading that comes in place of another: it is read next where the focus went with that. */
export function useSuccession() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}

/** For the heading of a view: whoever comes to another one begins to read there. */
export function useArrival(at: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    if (at) scrollTo(0, 0);
  }, [at]);
  return heading;
}
