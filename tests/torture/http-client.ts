import { pageHeaders } from "../fixtures/http/page-credential.ts";

/** A server's response. */
export interface Answer {
  status: number;
  body: unknown;
}

/** An error for a refused request. */
export class Refused extends Error {
  readonly status: number;

  constructor(name: string, { status, body }: Answer) {
    super(`${name} was answered ${status}: ${JSON.stringify(body).slice(0, 500)}`);
    this.status = status;
  }
}

/** Clients of a running server: an agent that calls tools, and the person at its page. */
export interface HttpClient {
  send(method: string, path: string, body?: object, headers?: object): Promise<Answer>;
  /** The data of a tool's answer; throws `Refused` on failure. */
  callTool<Data>(name: string, args?: object): Promise<Data>;
  /** A route's answer to the person at the page; throws `Refused` on failure. */
  callAsPerson<Body>(method: string, path: string, body?: object): Promise<Body>;
}

export function httpClientAt(url: string): HttpClient {
  let credential: Promise<object> | undefined;

  async function send(
    method: string,
    path: string,
    body?: object,
    headers: object = {},
  ): Promise<Answer> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { "user-agent": "agent", "content-type": "application/json", ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  }

  /** The page's own session, as a browser gets it with the page. */
  const pageCredential = async (): Promise<object> =>
    pageHeaders(await fetch(`${url}/`, { headers: { accept: "text/html" } }));

  return {
    send,
    async callTool<Data>(name: string, args: object = {}) {
      const answer = await send("POST", `/tools/${name}`, { arguments: args });
      const { success, data } = (answer.body ?? {}) as { success?: boolean; data?: Data };
      if (answer.status !== 200 || success !== true) throw new Refused(name, answer);
      // The server checks each answer against the schema of its operation.
      return data as Data;
    },
    async callAsPerson<Body>(method: string, path: string, body: object = {}) {
      credential ??= pageCredential();
      const answer = await send(
        method,
        path,
        method === "GET" ? undefined : body,
        await credential,
      );
      if (answer.status >= 300) throw new Refused(`${method} ${path}`, answer);
      // As above.
      return answer.body as Body;
    },
  };
}
