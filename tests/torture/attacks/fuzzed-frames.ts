import { jsonCases } from "../../fixtures/inputs/json-cases.ts";
import { naughtyStrings } from "../../fixtures/inputs/naughty-strings.ts";

const { cases } = jsonCases();
const { strings } = naughtyStrings();

const methods = [
  "initialize",
  "ping",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/read",
  "resources/templates/list",
  "resources/subscribe",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "server/discover",
  "notifications/initialized",
  "notifications/cancelled",
  "notifications/progress",
];
const tools = ["status", "get", "multi_get", "search", "list_sources", "qmdc_query_sql", "nope"];

/** Invalid frames, without newlines. */
export function fuzzedFrames(random: () => number): () => Buffer {
  const below = (max: number) => Math.floor(random() * max);
  const pick = <Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item =>
    // No list here is empty.
    items[below(items.length)] as Item;

  const value = (depth = 0): unknown => {
    const generators: (() => unknown)[] = [
      () => null,
      () => pick(strings),
      () => pick([0, -1, 1.5, 1e308, -0, 2 ** 53, 2 ** 31]),
      () => random() < 0.5,
      () => Array.from({ length: below(4) }, () => (depth > 3 ? 0 : value(depth + 1))),
      () =>
        Object.fromEntries(
          Array.from({ length: below(4) }, () => [
            pick([...tools, "name", "arguments", "uri", "query", "_meta", "__proto__", ""]),
            depth > 3 ? null : value(depth + 1),
          ]),
        ),
    ];
    return pick(generators)();
  };

  const message = (): Record<string, unknown> => ({
    jsonrpc: random() < 0.9 ? "2.0" : value(),
    // Ids of frames that must be answered have another prefix.
    ...(random() < 0.7 && { id: random() < 0.7 ? `fuzz ${below(1e9)}` : value() }),
    // Ending the server at a client's request is not a fault.
    method: random() < 0.85 ? pick(methods) : value(),
    ...(random() < 0.8 && {
      params: random() < 0.5 ? value() : { name: pick(tools), uri: value(), arguments: value() },
    }),
  });

  const damaged = (bytes: Buffer): Buffer => {
    if (bytes.length === 0) return bytes;
    const offset = below(bytes.length);
    switch (below(5)) {
      case 0:
        return bytes.subarray(0, offset);
      case 1:
        return bytes.subarray(offset);
      case 2:
        return Buffer.concat([bytes.subarray(0, offset), bytes]);
      default: {
        const changed = Buffer.from(bytes);
        for (let times = 1 + below(4); times > 0; times--)
          changed[below(bytes.length)] = below(256);
        return changed;
      }
    }
  };

  const createFrame = (): Buffer => {
    const kind = random();
    if (kind < 0.45) return Buffer.from(JSON.stringify(message()));
    if (kind < 0.75) return damaged(Buffer.from(JSON.stringify(message())));
    if (kind < 0.8) return Buffer.from(JSON.stringify([message(), value()]));
    if (kind < 0.9) return pick(cases.filter(({ bytes }) => bytes.length < 5_000)).bytes;
    if (kind < 0.93) return Buffer.from(Array.from({ length: below(200) }, () => below(256)));
    if (kind < 0.94) return Buffer.from("[".repeat(below(3_000)));
    return Buffer.from(JSON.stringify(value()));
  };

  return () => oneLine(createFrame());
}

/** A `shutdown` frame may end the server. */
function oneLine(bytes: Buffer): Buffer {
  const singleLine = Buffer.from(bytes.map((byte) => (byte === 10 || byte === 13 ? 32 : byte)));
  return /shutdown|"exit"/.test(singleLine.toString("latin1")) ? Buffer.from("{}") : singleLine;
}
