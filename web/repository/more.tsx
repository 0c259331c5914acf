import { counted } from "../../src/text/counted.ts";
import { path } from "./place.ts";

interface MoreProps {
  remaining: number | undefined;
  what: string;
  /** The words of the command that lists all of them. */
  command: string;
}

/** Where a list was cut: how much follows, and where the whole is to be had. */
export function More({ remaining, what, command }: MoreProps) {
  if (!remaining) return null;
  return (
    <p class="notice">
      … and {counted(remaining, `more ${what}`)}. At a shell:{" "}
      <code>
        lectern repository {command} {path.value}
      </code>
    </p>
  );
}
