import { expect, test } from "vitest";
import { openClients } from "./clients.ts";

test("[house.clients.list] clients are listed with their connections and calls, the connected first", () => {
  let news = 0;
  const clients = openClients(() => news++);
  const leave = clients.connect({ surface: "mcp", client: "one" });
  clients.note({ surface: "mcp", client: "one" });
  clients.note({ surface: "http" });
  clients.note({ surface: "mcp", client: "two" });
  const before = news;
  clients.note({ surface: "http" });

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

test("[house.clients.bounded] of many names the oldest are forgotten, and never one that is connected", () => {
  const clients = openClients(() => {}, 3);
  clients.connect({ surface: "mcp", client: "stays" });
  for (let n = 0; n < 50; n++) clients.note({ surface: "http", client: `name ${n}` });

  expect(clients.list().map(({ client }) => client)).toEqual(["stays", "name 49", "name 48"]);
  clients.note({ surface: "mcp", client: "x".repeat(1_000_000) });
  expect(clients.list()[1]?.client).toHaveLength(200);
});
