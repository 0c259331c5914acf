/**
 * The environment variable with the key of a client that the user configured. It is read only by a
 * process that communicates with its client over stdin and stdout. A caller over HTTP or the bridge
 * could claim any name, so its answers never count as the user's.
 */
export const clientKeyVariable = "LECTERN_CLIENT_KEY";

export const readClientKey = (env: NodeJS.ProcessEnv): string | undefined =>
  env[clientKeyVariable] || undefined;
