import { rmSync } from "node:fs";
import { join } from "node:path";
import { invalid } from "../../kernel/failure.ts";
import { ensureSecret } from "../../kernel/home/home-secret.ts";
import { homeFiles } from "../../kernel/home/settings.ts";
import { describeAdmission, openAdmission } from "../../kernel/peers/admission.ts";
import type { App } from "../../kernel/runtime/app.ts";
import type { CommandContext } from "../../surfaces/cli/command.ts";
import {
  checkInstallation,
  serverProblemChecks,
} from "../../surfaces/cli/doctor/installation-checks.ts";
import { checkLoopback } from "../../surfaces/cli/doctor/loopback-check.ts";
import { createLoginCodes } from "../../surfaces/http/auth/login-code.ts";
import { createHttpApp } from "../../surfaces/http/http-app.ts";
import { hostNamesOf, serveHttp } from "../../surfaces/http/server/http-server.ts";
import { createEndpoint } from "../../surfaces/mcp/http/endpoint.ts";
import type { HttpFlags } from "./http-flags.ts";
import { createPageLink } from "./page-link.ts";
import { readTokenFile, readTokenVariable } from "./token.ts";

/** Serves over HTTP and prints the addresses; returns a function that stops serving. */
export async function serveOverHttp(
  app: App,
  { port, host, allowHost, allowUser, openLoopback, ...tokenFlags }: HttpFlags,
  { err, program }: CommandContext,
  web: string,
): Promise<() => Promise<void>> {
  const token = resolveToken(tokenFlags);
  if (allowHost.length > 0 && !token) {
    throw invalid("--allow-host needs a token: set one with --token-file or LECTERN_TOKEN.");
  }
  // Setting the title overwrites the visible command line, and so the token in it.
  if (tokenFlags.token !== undefined) process.title = `${program} serve`;
  const admission = await openAdmission({ allowUsers: allowUser, openLoopback });
  const files = homeFiles(app.settings);
  const endpoint = createEndpoint(app);
  const httpApp = createHttpApp({
    app,
    mcp: endpoint.fetch,
    quickChecks: async () => [
      ...checkInstallation(app.settings, program, "glance"),
      ...serverProblemChecks(await app.problem()),
      checkLoopback(admission),
    ],
    web,
    token,
    secret: ensureSecret(files.secret),
    loginCodes: createLoginCodes(files.loginCodes),
    boundHosts: hostNamesOf(host),
    proxyHosts: allowHost,
  });
  const httpServer = await serveHttp({
    app: httpApp,
    host,
    ports: port,
    token,
    admission,
    homeSocket: files.socket,
  });
  // Earlier versions signed links with this file, so anyone who could read it could open a session.
  rmSync(join(app.settings.dataFolder, "page-secret"), { force: true });
  app.startBackground();
  const [first = "", ...others] = httpServer.addresses;
  const needsLink = token !== undefined || admission.rule === "secret";
  const pages = await Promise.all(
    (allowHost.length > 0
      ? allowHost.map((name) => `https://${name}`)
      : [browsableAddress(first)]
    ).map((address) => (needsLink ? createPageLink(address, files.loginCodes) : `${address}/`)),
  );
  await err.write(
    [
      `${app.identity.title} is at ${first}`,
      ...pages.map((page) => `  page  ${page}`),
      ...(needsLink
        ? [`        valid once, for a short time; create another with '${program} page-link'`]
        : []),
      `  MCP   ${first}/mcp`,
      `  REST  ${first}/openapi.json`,
      ...others.map((address) => `  also  ${address}`),
      token
        ? "Every caller needs the token, the home's secret or a link."
        : describeAdmission(admission),
      ...(admission.rule === "secret" ? [`The secret is in ${files.secret}.`] : []),
      ...(httpServer.homeSocket.note === undefined ? [] : [httpServer.homeSocket.note]),
      ...(tokenFlags.token === undefined ? [] : [tokenExposedWarning]),
      "",
    ].join("\n"),
  );
  return async () => {
    await endpoint.close();
    await httpServer.close();
  };
}

/** Replaces a wildcard address, which browsers cannot open. */
const browsableAddress = (address: string): string =>
  address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");

const tokenExposedWarning =
  "--token was visible in the process list while the server started; use --token-file instead.";

function resolveToken({
  token,
  tokenFile,
}: Pick<HttpFlags, "token" | "tokenFile">): string | undefined {
  if (token !== undefined && tokenFile !== undefined) {
    throw invalid("--token and --token-file are mutually exclusive.", ["Pass only one of them."]);
  }
  if (tokenFile !== undefined) return readTokenFile(tokenFile);
  return token ?? readTokenVariable(process.env);
}
