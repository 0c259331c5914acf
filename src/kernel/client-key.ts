/**
 * The environment variable by which a client that a person configured proves which one it is. Only a
 * process that speaks with its client over its own stdin and stdout reads it: whoever reaches a
 * server over HTTP or the bridge can say any name, and is never trusted with a person's answer.
 */
export const clientKeyVariable = "LECTERN_CLIENT_KEY";

export const clientKeyFrom = (env: NodeJS.ProcessEnv): string | undefined =>
  env[clientKeyVariable] || undefined;
