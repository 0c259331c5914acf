import { once } from "node:events";
import { expect, test } from "vitest";
import { modelServer } from "../../../../tests/fixtures/search/model-server.ts";
import { type ModelServer, reply } from "../../../../tests/fixtures/search/word-models.ts";
import { Failure } from "../../failure.ts";
import { type EndpointLimits, openEndpoint } from "./endpoint.ts";

const secret = "sk-very-secret";

function endpointAt(
  { url }: Pick<ModelServer, "url">,
  limits: Partial<EndpointLimits> = {},
  environment: Record<string, string | undefined> = { SOME_KEY: secret },
) {
  const settings = { url, key_from: "SOME_KEY" };
  const endpoint = openEndpoint({ role: "embedding", settings, environment, limits });
  const ask = (canWait: boolean, signal?: AbortSignal) => {
    const body = { model: "m", input: ["x"] };
    return endpoint.post("/embeddings", body, (answer) => answer, { canWait, signal });
  };
  return {
    endpoint,
    query: () => ask(false),
    documents: (signal?: AbortSignal) => ask(true, signal),
  };
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Failure)) throw new Error(`No failure: ${error}`);
  return error;
}

test("[search.models.key] the key is read from the environment, sent, and shown nowhere", async () => {
  const server = await modelServer();
  await endpointAt(server).query();
  expect(server.asked[0]?.authorization).toBe(`Bearer ${secret}`);

  server.fault = (response, { authorization }) =>
    reply(response, 401, { error: `Wrong key ${authorization}` }, { "x-key": secret });
  const failure = await failureOf(endpointAt(server).query());
  expect(failure.explanation).toMatch(
    /did not accept the API key \(401\)\.\n.*models\.embedding\.key_from/,
  );
  expect(JSON.stringify([failure.explanation, failure.cause, failure.stack])).not.toContain(secret);
});

test("[search.models.key] without the variable nothing is sent, and the message names the field", async () => {
  const server = await modelServer();
  for (const environment of [{}, { SOME_KEY: "" }, { SOME_KEY: "two\nlines" }]) {
    const { endpoint, query } = endpointAt(server, {}, environment);
    expect(endpoint.problem?.explanation).toContain("models.embedding.key_from");
    expect((await failureOf(query())).explanation).not.toMatch(/lines|SOME_KEY/);
  }
  expect(server.asked).toEqual([]);
});

test("[search.models.deadline] requests time out, queries sooner than documents", async () => {
  const server = await modelServer();
  server.fault = () => undefined;
  const { query } = endpointAt(server, { queryMs: 30, backgroundMs: 3_600_000 });
  expect((await failureOf(query())).message).toMatch(/did not answer within 0\.03 s\.$/);

  const { documents } = endpointAt(server, { queryMs: 3_600_000, backgroundMs: 40 });
  expect((await failureOf(documents())).message).toMatch(/did not answer within 0\.04 s\.$/);
});

test("[search.models.deadline] an endless response times out too", async () => {
  const server = await modelServer();
  server.fault = (response) => void response.writeHead(200).write("[");

  const failure = await failureOf(endpointAt(server, { queryMs: 50 }).query());

  expect(failure.message).toMatch(/did not answer within/);
});

test("[search.models.dead] an unreachable server is named, with the system's error code", async () => {
  const server = await modelServer();
  await server.stop();

  const failure = await failureOf(endpointAt(server).query());

  expect(failure).toMatchObject({ kind: "unavailable", code: "no-model" });
  expect(failure.message).toBe(
    `The model at ${new URL(server.url).host} cannot be reached (ECONNREFUSED).`,
  );
});

test("[search.models.dead] a connection that breaks midway is reported", async () => {
  const server = await modelServer();
  server.fault = (response) => {
    response.writeHead(200).write("[1,");
    response.destroy();
  };

  expect((await failureOf(endpointAt(server).query())).message).toMatch(/cannot be reached/);
});

test("[search.models.bad-answer] a response that is not JSON, or too long, is refused", async () => {
  const server = await modelServer();
  server.fault = (response) => reply(response, 200, "<html>Welcome</html>");
  expect((await failureOf(endpointAt(server).query())).message).toMatch(/returned no JSON\.$/);

  const left = new Promise((resolve) => {
    server.fault = (response) => {
      const write = () => {
        while (response.write("1".repeat(1_000_000)));
      };
      response.writeHead(200).on("drain", write);
      once(response, "close").then(resolve);
      write();
    };
  });
  const { query } = endpointAt(server, { maxBytes: 3_000_000 });
  expect((await failureOf(query())).message).toMatch(/returned more than 3 MB\.$/);
  await left;
});

test("[search.models.redirect] redirects are not followed", async () => {
  const [server, other] = [await modelServer(), await modelServer()];
  server.fault = (response) => reply(response, 307, "", { location: `${other.url}/embeddings` });

  const failure = await failureOf(endpointAt(server).query());

  expect(failure.explanation).toMatch(/redirects.*\(307\)\.\n.*models\.embedding\.url/);
  expect(other.asked).toEqual([]);
});

test("[search.models.refused] an error status of a server is reported with a remedy", async () => {
  const server = await modelServer();
  for (const [status, words] of [
    [400, /rejected the request \(400\)/],
    [403, /did not accept the API key \(403\)/],
    [404, /no such model or path \(404\)\.\n.*'url' and 'model'/],
    [500, /failed \(500\)/],
    [503, /failed \(503\)/],
  ] as const) {
    server.fault = (response) => reply(response, status, "");
    expect((await failureOf(endpointAt(server).query())).explanation).toMatch(words);
  }
});

test("[search.models.suspended] after a failure requests are suspended for a while, then retried", async () => {
  const server = await modelServer();
  server.fault = (response) => reply(response, 500, "");
  const { query, documents, endpoint } = endpointAt(server, { backoffMs: 3_600_000 });
  const first = await failureOf(query());
  expect(await failureOf(query())).toBe(first);
  expect(await failureOf(documents())).toBe(first);
  expect(endpoint.problem).toBe(first);
  expect(server.asked).toHaveLength(1);

  const short = endpointAt(server, { backoffMs: 0 });
  await failureOf(short.query());
  server.fault = undefined;
  expect(await short.query()).toMatchObject({ data: [{ index: 0 }] });
  expect(short.endpoint.problem).toBeUndefined();
});

test("[search.models.suspended] an error about one text does not suspend other requests", async () => {
  const server = await modelServer();
  const { query } = endpointAt(server, { backoffMs: 3_600_000 });
  server.fault = (response) => reply(response, 413, "");
  await failureOf(query());
  server.fault = undefined;

  expect(await query()).toMatchObject({ data: [{ index: 0 }] });
});

/** Answers the first requests as overloaded, the rest normally. */
const busyFor = (server: ModelServer, times: number, after: string) => {
  let left = times;
  server.fault = (response) => {
    left--;
    if (left === 0) server.fault = undefined;
    reply(response, 429, "", { "retry-after": after });
  };
};

test("[search.models.busy] documents are retried after the server's delay, and a query is not retried", async () => {
  const server = await modelServer();
  for (const after of ["0", new Date(0).toUTCString(), "0.01"]) {
    busyFor(server, 2, after);
    expect(await endpointAt(server).documents()).toMatchObject({ data: [{ index: 0 }] });
  }

  busyFor(server, 1, "3600");
  const { query } = endpointAt(server, { backoffMs: 0 });
  expect((await failureOf(query())).message).toMatch(/is too busy \(429\)\.$/);
  const asked = server.asked.length;
  expect((await failureOf(query())).message).toMatch(/is too busy \(429\)\.$/);
  expect(server.asked).toHaveLength(asked);
});

test("[search.models.busy] retries are limited in number and duration", async () => {
  const server = await modelServer();
  busyFor(server, 1_000, "86400");
  const { documents } = endpointAt(server, { maxRetryAfterMs: 1, maxAttempts: 4 });

  expect((await failureOf(documents())).message).toMatch(/is too busy \(429\)\.$/);
  expect(server.asked).toHaveLength(4);
});

test("[search.models.busy] a rejected query does not stop the embedding of documents", async () => {
  const server = await modelServer();
  const { query, documents } = endpointAt(server);
  busyFor(server, 1, "0.02");
  await failureOf(query());

  expect(await documents()).toMatchObject({ data: [{ index: 0 }] });
});

test("[search.models.abort] an aborted caller is released immediately, both in the queue and during a response", async () => {
  const server = await modelServer();
  const leaving = new AbortController();
  busyFor(server, 1, "3600");
  const waiting = endpointAt(server).documents(leaving.signal);
  await expect.poll(() => server.asked.length).toBe(1);
  leaving.abort(new Error("no longer wanted"));
  await expect(waiting).rejects.toThrow(/abort|no longer wanted/);

  const other = new AbortController();
  server.fault = () => other.abort(new Error("no longer wanted"));
  const { endpoint, documents } = endpointAt(server);
  await expect(documents(other.signal)).rejects.toThrow("no longer wanted");
  expect(endpoint.problem).toBeUndefined();
});
