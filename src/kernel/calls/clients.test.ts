import { expect, test } from "vitest";
import { createClientRegistry } from "./clients.ts";

test("[core.clients.list] clients are listed with their connections and calls, connected ones first", () => {
  let news = 0;
  const clients = createClientRegistry(() => news++);
  const leave = clients.connect({ surface: "mcp", client: "one" });
  clients.recordCall({ surface: "mcp", client: "one" });
  clients.recordCall({ surface: "http" });
  clients.recordCall({ surface: "mcp", client: "two" });
  const before = news;
  clients.recordCall({ surface: "http" });

  expect(news).toBe(before);
  expect(clients.list()).toMatchObject([
    { surface: "mcp", client: "one", connections: 1, calls: 1 },
    { surface: "http", connections: 0, calls: 2 },
    { surface: "mcp", client: "two", calls: 1 },
  ]);
  leave();
  leave();
  expect(news).toBe(before + 1);
  expect(clients.list()[0]).toMatchObject({ surface: "http" });
});

test("[core.clients.bounded] the oldest client names are dropped over the limit, but never a connected one", () => {
  const clients = createClientRegistry(() => {}, 3);
  clients.connect({ surface: "mcp", client: "stays" });
  for (let n = 0; n < 50; n++) clients.recordCall({ surface: "http", client: `name ${n}` });

  expect(clients.list().map(({ client }) => client)).toEqual(["stays", "name 49", "name 48"]);
  clients.recordCall({ surface: "mcp", client: "x".repeat(1_000_000) });
  expect(clients.list()[1]?.client).toHaveLength(200);
});
