import * as z from "zod";
import { defaultPort } from "../../surfaces/cli/arguments/result-flags.ts";

/** Access rules for local users, for all commands that listen on a port. */
export const loopbackFlags = {
  allowUser: z
    .array(z.string().min(1))
    .default([])
    .describe("Also serve this local user, such as the user of a proxy"),
  openLoopback: z.boolean().default(false).describe("Serve all local users without a credential"),
};

export const httpFlags = {
  port: z
    .array(z.coerce.number().int().min(0).max(65_535))
    .default([defaultPort])
    .describe("The port to listen on; 0 picks a free port"),
  host: z
    .string()
    .default("127.0.0.1")
    .describe("The address to listen on; needs a token unless it is loopback"),
  allowHost: z
    .array(
      z
        .string()
        .regex(/^[a-z0-9._-]+$/i, "must be a name such as docs.example.org, without a port"),
    )
    .default([])
    .describe("A host name that a proxy serves; needs a token"),
  token: z
    .string()
    .regex(/^\S{8,}$/, "must have at least 8 characters and no whitespace")
    .optional()
    .describe("Require this token; it is briefly visible in the process list"),
  tokenFile: z
    .string()
    .min(1)
    .optional()
    .describe("Read the token from this file; or set LECTERN_TOKEN")
    .meta({ path: true }),
  ...loopbackFlags,
};

export type HttpFlags = z.output<z.ZodObject<typeof httpFlags>>;
