import { expect, test } from "vitest";
import { bodyOf, readUntil } from "../../../../tests/fixtures/http/event-stream.ts";
import { smallLibrary } from "../../../../tests/fixtures/library/small-library.ts";
import { createHttpApp } from "../http-app.ts";
import { createEventStreams, type EventStreamOptions } from "./event-stream.ts";

function subject(options: EventStreamOptions = {}) {
  const library = smallLibrary([]);
  const events = createEventStreams(library, options);
  const app = createHttpApp({ app: library, events, mcp: async () => new Response() });
  return { library, events, app };
}

const ready = "retry: 2000\nevent: ready\ndata: {}\n\n";

test("[core.http.events] each notice reaches every open page, with its topic as the event name", async () => {
  const { library, app, events } = subject();
  const [one, two] = [await app.request("/events"), await app.request("/events")];
  expect(one.headers.get("content-type")).toBe("text/event-stream");
  expect(events.openPages()).toBe(2);
  library.announce({ topic: "source.changed", about: "7" });
  library.announce({ topic: "documents.changed" });

  for (const page of [one, two]) {
    expect(await readUntil(bodyOf(page), "documents.changed")).toContain(ready);
    await bodyOf(page).cancel();
  }
  expect(events.openPages()).toBe(0);
});

test("[core.http.events] an event is one line of JSON, whatever it contains", async () => {
  const { library, app } = subject();
  const body = bodyOf(await app.request("/events"));
  library.announce({ topic: "source.changed", about: "7\n\nevent: forged" });
  library.announce({ topic: "documents.changed" });

  expect(await readUntil(body, "documents.changed")).toBe(
    [
      ready,
      'event: source.changed\ndata: {"topic":"source.changed","about":"7\\n\\nevent: forged"}\n\n',
      'event: documents.changed\ndata: {"topic":"documents.changed","about":null}\n\n',
    ].join(""),
  );
  await body.cancel();
});

test("[core.http.events] an idle stream has a heartbeat", async () => {
  const { app } = subject({ heartbeatMs: 20 });
  const body = bodyOf(await app.request("/events"));

  expect(await readUntil(body, ": still here\n\n")).toContain(": still here");
  await body.cancel();
});

test("[core.http.events] too many pages are refused until one disconnects", async () => {
  const { app, events } = subject({ maxPages: 2 });
  const pages = [await app.request("/events"), await app.request("/events")];
  const refused = await app.request("/events");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "10"]);
  expect(await refused.json()).toMatchObject({ status_code: 503 });

  await pages[0]?.body?.cancel();
  const taken = await app.request("/events");
  expect(taken.status).toBe(200);
  await taken.body?.cancel();
  await pages[1]?.body?.cancel();
  expect(events.openPages()).toBe(0);
});

test("[core.http.events] a page that does not read is disconnected, without affecting the others", async () => {
  const { library, app, events } = subject({ maxQueued: 10 });
  const stuck = await app.request("/events");
  for (let count = 0; count < 50; count++) library.announce({ topic: "documents.changed" });
  const awake = await app.request("/events");
  library.announce({ topic: "source.changed" });

  expect(await readUntil(bodyOf(awake), "source.changed")).toContain("ready");
  expect(events.openPages()).toBe(1);
  expect((await stuck.text()).match(/event: /g)).toHaveLength(10);
  await awake.body?.cancel();
});

test("HEAD opens no stream", async () => {
  const { app, events } = subject();
  const response = await app.request("/events", { method: "HEAD" });

  expect([response.status, events.openPages()]).toEqual([200, 0]);
});
