import type { HouseState } from "../../src/surfaces/http/house-state.ts";
import { counted } from "../../src/text/counted.ts";
import { house } from "./house.ts";
import { clockTime } from "./time.ts";

/** Who is connected to this server, and who has called it. */
export function Clients() {
  const state = house.answer.value;
  if (!state) return null;
  return (
    <section class="clients" aria-labelledby="clients">
      <h2 id="clients">Clients</h2>
      <p>{counted(state.pages, "page")} open</p>
      {state.clients.length === 0 && <p class="notice">No agent has called yet.</p>}
      <ul>
        {state.clients.map((client) => (
          <li key={`${client.surface} ${client.client}`}>
            <span class="name">{client.client ?? "Somebody without a name"}</span>
            <span class="doing">{doingOf(client)}</span>
          </li>
        ))}
      </ul>
      <p class="notice">
        Agents connect to <code>{location.origin}/mcp</code>
      </p>
    </section>
  );
}

function doingOf({ surface, connections, calls, last }: HouseState["clients"][number]): string {
  const way = surface === "mcp" ? "MCP" : "REST";
  const times = connections > 1 ? ` ${connections} times` : "";
  const here = connections > 0 ? `connected${times}` : `last at ${clockTime(last)}`;
  return `${way}, ${here}, ${counted(calls, "call")}`;
}
