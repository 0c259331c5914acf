import type { SystemState } from "../../src/surfaces/http/routes/system-state.ts";
import { pluralise } from "../../src/text/strings/pluralise.ts";
import { clockTime } from "./date-format.ts";
import { systemState } from "./system-state.ts";

/** The clients that are connected to this server or have called it. */
export function Clients() {
  const state = systemState.answer.value;
  if (!state) return null;
  return (
    <section class="clients" aria-labelledby="clients">
      <h2 id="clients">Clients</h2>
      <p>{pluralise(state.pages, "page")} open</p>
      {state.clients.length === 0 && <p class="notice">No agent has called yet.</p>}
      <ul>
        {state.clients.map((client) => (
          <li key={`${client.surface} ${client.client}`}>
            <span class="name">{client.client ?? "Unnamed client"}</span>
            <span class="doing">{activityOf(client)}</span>
          </li>
        ))}
      </ul>
      <p class="notice">
        Agents connect to <code>{location.origin}/mcp</code>
      </p>
    </section>
  );
}

function activityOf({ surface, connections, calls, last }: SystemState["clients"][number]): string {
  const protocol = surface === "mcp" ? "MCP" : "REST";
  const times = connections > 1 ? ` ${connections} times` : "";
  const presence = connections > 0 ? `connected${times}` : `last seen at ${clockTime(last)}`;
  return `${protocol}, ${presence}, ${pluralise(calls, "call")}`;
}
