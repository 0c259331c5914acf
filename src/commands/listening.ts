import { invalid } from "../kernel/failure.ts";
import { ensureSecret, readSecret, renewSecret } from "../kernel/home-secret.ts";
import type { Library } from "../kernel/library.ts";
import { openAdmission, ruleInWords } from "../kernel/peers/admission.ts";
import { filesOf } from "../kernel/settings.ts";
import type { CommandContext } from "../surfaces/cli/command.ts";
import { checkAll, checkServer } from "../surfaces/cli/doctor-checks.ts";
import { checkLoopback } from "../surfaces/cli/doctor-loopback.ts";
import { makeApp } from "../surfaces/http/app.ts";
import { openLoginCodes } from "../surfaces/http/login-code.ts";
import { namesOf, serveHttp } from "../surfaces/http/server.ts";
import { makeEndpoint } from "../surfaces/mcp/endpoint.ts";
import type { Listening } from "./listening-flags.ts";
import { linkTo } from "./page-link.ts";
import { tokenFrom, tokenInFile } from "./token.ts";

/** Serves everything over HTTP, says where, and gives what ends it. */
export async function listen(
  library: Library,
  { port, host, allowHost, allowUser, openLoopback, ...given }: Listening,
  { err, program }: CommandContext,
  web: string,
): Promise<() => Promise<void>> {
  const token = tokenOf(given);
  if (allowHost.length > 0 && !token) {
    throw invalid("--allow-host needs a token: set one with --token-file or LECTERN_TOKEN.");
  }
  // Writing the title overwrites the words that this process was started with.
  if (given.token !== undefined) process.title = `${program} serve`;
  const admission = await openAdmission({ allowUsers: allowUser, openLoopback });
  const files = filesOf(library.settings);
  const endpoint = makeEndpoint(library);
  const app = makeApp({
    library,
    mcp: endpoint.fetch,
    examine: () => [
      ...checkAll(library.settings, program, "glance"),
      ...checkServer(library.problem()),
      ...(admission.rule === "open" ? [checkLoopback("open")] : []),
    ],
    web,
    token,
    secret: ensureSecret(files.secret),
    codes: openLoginCodes(() => readSecret(files.pageSecret)),
    boundHosts: namesOf(host),
    proxyHosts: allowHost,
  });
  const http = await serveHttp({
    app,
    host,
    ports: port,
    token,
    admission,
    homeSocket: files.socket,
  });
  // Links that were printed before this start open nothing.
  const pageSecret = renewSecret(files.pageSecret);
  library.keep();
  const [first = "", ...others] = http.addresses;
  const byLink = token !== undefined || admission.rule === "secret";
  const pages = await Promise.all(
    (allowHost.length > 0 ? allowHost.map((name) => `https://${name}`) : [reachable(first)]).map(
      (address) => (byLink ? linkTo(address, pageSecret) : `${address}/`),
    ),
  );
  await err.write(
    [
      `${library.identity.title} is at ${first}`,
      ...pages.map((page) => `  page  ${page}`),
      ...(byLink ? [`        once, and soon; '${program} page-link' prints another`] : []),
      `  MCP   ${first}/mcp`,
      `  REST  ${first}/openapi.json`,
      ...others.map((address) => `  also  ${address}`),
      token
        ? "Every caller needs the token, the home's secret or a link."
        : ruleInWords[admission.rule],
      ...(admission.rule === "secret" ? [`The secret is in ${files.secret}.`] : []),
      ...(http.homeSocket.note === undefined ? [] : [http.homeSocket.note]),
      ...(given.token === undefined ? [] : [tokenWasTyped]),
      "",
    ].join("\n"),
  );
  return async () => {
    await endpoint.close();
    await http.close();
  };
}

/** A browser is sent to no wildcard. */
const reachable = (address: string): string =>
  address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");

const tokenWasTyped =
  "--token was seen in the list of processes while the server started: --token-file hides it.";

function tokenOf({ token, tokenFile }: Pick<Listening, "token" | "tokenFile">): string | undefined {
  if (token !== undefined && tokenFile !== undefined) {
    throw invalid("--token and --token-file are two tokens.", ["Give one of them."]);
  }
  if (tokenFile !== undefined) return tokenInFile(tokenFile);
  return token ?? tokenFrom(process.env);
}
