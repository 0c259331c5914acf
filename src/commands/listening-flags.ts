import * as z from "zod";
import { usualPort } from "../surfaces/cli/answer-flags.ts";

/** Who on this machine is served, for every command that listens. */
export const loopbackFlags = {
  allowUser: z
    .array(z.string().min(1))
    .default([])
    .describe("Serve this user of the machine too, such as a proxy's; may be given several times"),
  openLoopback: z
    .boolean()
    .default(false)
    .describe("Serve every user of this machine without a credential"),
};

export const listening = {
  port: z
    .array(z.coerce.number().int().min(0).max(65_535))
    .default([usualPort])
    .describe("The port; may be given several times, 0 takes a free one"),
  host: z.string().default("127.0.0.1").describe("The address; any but loopback needs a token"),
  allowHost: z
    .array(z.string().regex(/^[a-z0-9._-]+$/i, "a name such as docs.example.org, without a port"))
    .default([])
    .describe("A name by which a proxy reaches it; may be given several times, needs a token"),
  token: z
    .string()
    .regex(/^\S{8,}$/, "8 characters or more, and no blanks")
    .optional()
    .describe("Ask every caller for it; others see it in the list of processes for a moment"),
  tokenFile: z
    .string()
    .min(1)
    .optional()
    .describe("Read the token from this file; LECTERN_TOKEN gives it too")
    .meta({ path: true }),
  ...loopbackFlags,
};

export type Listening = z.output<z.ZodObject<typeof listening>>;
