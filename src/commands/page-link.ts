import * as z from "zod";
import { Failure } from "../kernel/failure.ts";
import { readSecret } from "../kernel/home-secret.ts";
import { filesOf } from "../kernel/settings.ts";
import { usualPort } from "../surfaces/cli/answer-flags.ts";
import { programCommand } from "../surfaces/cli/command.ts";

/** A person's shell may open the page: what it needs lies in the home, where no agent's token helps. */
export const pageLink = programCommand({
  cli: "page-link",
  summary: "Print a link that opens the page of a running server, once",
  group: "serving",
  input: z.object({
    url: z
      .url({ protocol: /^https?$/, error: "an address such as https://docs.example.org" })
      .default(`http://127.0.0.1:${usualPort}`)
      .describe("Where the server is reached"),
  }),
  async run({ url }, { out, settings, program }) {
    const secret = readSecret(filesOf(settings).pageSecret);
    if (secret === undefined) {
      throw new Failure("unavailable", "no-server", "No server has been started on this home.", {
        hints: [`Start one with '${program} serve'.`],
      });
    }
    await out.write(`${await linkTo(url, secret)}\n`);
    return 0;
  },
});

/** The link that opens the page at an address. */
export async function linkTo(url: string, secret: string): Promise<string> {
  const { makeLoginCode } = await import("../surfaces/http/login-code.ts");
  return `${new URL(`/login?code=${makeLoginCode(secret)}`, url)}`;
}
