import { once } from "node:events";
import { expect, test } from "vitest";
import { modelServer } from "../../../tests/fixtures/model-server.ts";
import { type ModelServer, reply } from "../../../tests/fixtures/word-models.ts";
import { Failure } from "../failure.ts";
import { type EndpointLimits, openEndpoint } from "./endpoint.ts";

const secret = "sk-very-secret";

function endpointAt(
  { url }: Pick<ModelServer, "url">,
  limits: Partial<EndpointLimits> = {},
  environment: Record<string, string | undefined> = { SOME_KEY: secret },
) {
  const settings = { url, key_from: "SOME_KEY" };
  const endpoint = openEndpoint({ role: "embedding", settings, environment, limits });
  const ask = (isPatient: boolean, signal?: AbortSignal) => {
    const body = { model: "m", input: ["x"] };
    return endpoint.post("/embeddings", body, (answer) => answer, { isPatient, signal });
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

test("[search.models.key] the key is taken from the environment and sent, and nobody else sees it", async () => {
  const server = await modelServer();
  await endpointAt(server).query();
  expect(server.asked[0]?.authorization).toBe(`Bearer ${secret}`);

  server.fault = (response, { authorization }) =>
    reply(response, 401, { error: `Wrong key ${authorization}` }, { "x-key": secret });
  const failure = await failureOf(endpointAt(server).query());
  expect(failure.explanation).toMatch(
    /did not accept our key \(401\)\.\n.*models\.embedding\.key_from/,
  );
  expect(JSON.stringify([failure.explanation, failure.cause, failure.stack])).not.toContain(secret);
});

test("[search.models.key] without the variable nothing is sent, and the words name the field", async () => {
  const server = await modelServer();
  for (const environment of [{}, { SOME_KEY: "" }, { SOME_KEY: "two\nlines" }]) {
    const { endpoint, query } = endpointAt(server, {}, environment);
    expect(endpoint.problem?.explanation).toContain("models.embedding.key_from");
    expect((await failureOf(query())).explanation).not.toMatch(/lines|SOME_KEY/);
  }
  expect(server.asked).toEqual([]);
});

test("[search.models.deadline] a server that does not answer is given up, a query sooner than documents", async () => {
  const server = await modelServer();
  server.fault = () => undefined;
  const { query } = endpointAt(server, { queryMs: 30, patientMs: 3_600_000 });
  expect((await failureOf(query())).message).toMatch(/gave no answer within 0\.03 s\.$/);

  const { documents } = endpointAt(server, { queryMs: 3_600_000, patientMs: 40 });
  expect((await failureOf(documents())).message).toMatch(/gave no answer within 0\.04 s\.$/);
});

test("[search.models.deadline] an answer that never ends is given up too", async () => {
  const server = await modelServer();
  server.fault = (response) => void response.writeHead(200).write("[");

  const failure = await failureOf(endpointAt(server, { queryMs: 50 }).query());

  expect(failure.message).toMatch(/gave no answer within/);
});

test("[search.models.dead] a server that is gone is named, with the code of the system", async () => {
  const server = await modelServer();
  await server.stop();

  const failure = await failureOf(endpointAt(server).query());

  expect(failure).toMatchObject({ kind: "unavailable", code: "no-model" });
  expect(failure.message).toBe(
    `The model at ${new URL(server.url).host} cannot be reached (ECONNREFUSED).`,
  );
});

test("[search.models.dead] a connection that breaks in the middle is told", async () => {
  const server = await modelServer();
  server.fault = (response) => {
    response.writeHead(200).write("[1,");
    response.destroy();
  };

  expect((await failureOf(endpointAt(server).query())).message).toMatch(/cannot be reached/);
});

test("[search.models.bad-answer] what is no JSON, or too long, is no answer", async () => {
  const server = await modelServer();
  server.fault = (response) => reply(response, 200, "<html>Welcome</html>");
  expect((await failureOf(endpointAt(server).query())).message).toMatch(/gave no JSON\.$/);

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
  const { query } = endpointAt(server, { mostBytes: 3_000_000 });
  expect((await failureOf(query())).message).toMatch(/gave more than 3 MB\.$/);
  await left;
});

test("[search.models.redirect] nobody is followed to another address", async () => {
  const [server, other] = [await modelServer(), await modelServer()];
  server.fault = (response) => reply(response, 307, "", { location: `${other.url}/embeddings` });

  const failure = await failureOf(endpointAt(server).query());

  expect(failure.explanation).toMatch(/leads elsewhere.*\(307\)\.\n.*models\.embedding\.url/);
  expect(other.asked).toEqual([]);
});

test("[search.models.refused] what a server refuses is told by its number and a remedy", async () => {
  const server = await modelServer();
  for (const [status, words] of [
    [400, /refused what it was asked \(400\)/],
    [403, /did not accept our key \(403\)/],
    [404, /no such model or path \(404\)\.\n.*'url' and 'model'/],
    [500, /failed \(500\)/],
    [503, /failed \(503\)/],
  ] as const) {
    server.fault = (response) => reply(response, status, "");
    expect((await failureOf(endpointAt(server).query())).explanation).toMatch(words);
  }
});

test("[search.models.rest] after a failure nobody asks for a while, and then it is tried again", async () => {
  const server = await modelServer();
  server.fault = (response) => reply(response, 500, "");
  const { query, documents, endpoint } = endpointAt(server, { restMs: 3_600_000 });
  const first = await failureOf(query());
  expect(await failureOf(query())).toBe(first);
  expect(await failureOf(documents())).toBe(first);
  expect(endpoint.problem).toBe(first);
  expect(server.asked).toHaveLength(1);

  const short = endpointAt(server, { restMs: 0 });
  await failureOf(short.query());
  server.fault = undefined;
  expect(await short.query()).toMatchObject({ data: [{ index: 0 }] });
  expect(short.endpoint.problem).toBeUndefined();
});

test("[search.models.rest] what is wrong with one text keeps nobody else out", async () => {
  const server = await modelServer();
  const { query } = endpointAt(server, { restMs: 3_600_000 });
  server.fault = (response) => reply(response, 413, "");
  await failureOf(query());
  server.fault = undefined;

  expect(await query()).toMatchObject({ data: [{ index: 0 }] });
});

/** Too busy for the first few, then as always. */
const busyFor = (server: ModelServer, times: number, after: string) => {
  let left = times;
  server.fault = (response) => {
    left--;
    if (left === 0) server.fault = undefined;
    reply(response, 429, "", { "retry-after": after });
  };
};

test("[search.models.busy] documents come again when the server says, and a query does not wait", async () => {
  const server = await modelServer();
  for (const after of ["0", new Date(0).toUTCString(), "0.01"]) {
    busyFor(server, 2, after);
    expect(await endpointAt(server).documents()).toMatchObject({ data: [{ index: 0 }] });
  }

  busyFor(server, 1, "3600");
  const { query } = endpointAt(server, { restMs: 0 });
  expect((await failureOf(query())).message).toMatch(/is too busy \(429\)\.$/);
  const asked = server.asked.length;
  expect((await failureOf(query())).message).toMatch(/is too busy \(429\)\.$/);
  expect(server.asked).toHaveLength(asked);
});

test("[search.models.busy] nobody tries for ever, or waits for as long as a server wants", async () => {
  const server = await modelServer();
  busyFor(server, 1_000, "86400");
  const { documents } = endpointAt(server, { mostWaitMs: 1, mostTries: 4 });

  expect((await failureOf(documents())).message).toMatch(/is too busy \(429\)\.$/);
  expect(server.asked).toHaveLength(4);
});

test("[search.models.busy] a query that is turned away does not end the work on documents", async () => {
  const server = await modelServer();
  const { query, documents } = endpointAt(server);
  busyFor(server, 1, "0.02");
  await failureOf(query());

  expect(await documents()).toMatchObject({ data: [{ index: 0 }] });
});

test("[search.models.abort] whoever leaves hears at once: while waiting, and in the middle of an answer", async () => {
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
