import { pluralise } from "../../src/text/strings/pluralise.ts";
import { repositoryPath } from "./repository-address.ts";

interface MoreProps {
  remaining: number | undefined;
  what: string;
  /** The subcommand that lists all of them. */
  command: string;
}

/** Below a truncated list: the number of omitted items, and the command that lists all. */
export function RemainingNote({ remaining, what, command }: MoreProps) {
  if (!remaining) return null;
  return (
    <p class="notice">
      … and {pluralise(remaining, `more ${what}`)}. To list all:{" "}
      <code>
        lectern repository {command} {repositoryPath.value}
      </code>
    </p>
  );
}
