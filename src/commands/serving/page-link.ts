import * as z from "zod";
import { Failure } from "../../kernel/failure.ts";
import { homeFiles } from "../../kernel/home/settings.ts";
import { defaultPort } from "../../surfaces/cli/arguments/result-flags.ts";
import { programCommand } from "../../surfaces/cli/command.ts";

/**
 * Prints a single-use link to the web app of a running server, or of one started within 15 minutes.
 * The link is registered in the home, so only the home's owner can create one. An agent's token is
 * not enough.
 */
export const pageLinkCommand = programCommand({
  cli: "page-link",
  summary: "Print a single-use link to the web app of a running server",
  group: "serving",
  input: z.object({
    url: z
      .url({ protocol: /^https?$/, error: "must be an address such as https://docs.example.org" })
      .default(`http://127.0.0.1:${defaultPort}`)
      .describe("The address of the server"),
  }),
  async run({ url }, { out, settings }) {
    await assertNotTaken(new URL(url));
    await out.write(`${await createPageLink(url, homeFiles(settings).loginCodes)}\n`);
    return 0;
  },
});

/**
 * Refuses the address of another user's process: a browser would give it the code, with which it
 * could open the page of the real server. A proxy that terminates TLS may run as another user.
 */
async function assertNotTaken({ protocol, hostname, port }: URL): Promise<void> {
  const [{ isLoopback }, { portOwner }] = await Promise.all([
    import("../../kernel/peers/admission.ts"),
    import("../../kernel/peers/port-owner.ts"),
  ]);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (protocol !== "http:" || !(host === "localhost" || isLoopback(host))) return;
  const number = Number(port || 80);
  if ((await portOwner(number)) !== "stranger") return;
  throw new Failure(
    "forbidden",
    "port-of-another-user",
    `Port ${number} belongs to a process of another user.`,
    { hints: ["Set --url to the address that 'serve' prints."] },
  );
}

/** Creates a login link for the server at an address. */
export async function createPageLink(url: string, loginCodes: string): Promise<string> {
  const { issueLoginCode } = await import("../../surfaces/http/auth/login-code.ts");
  return `${new URL(`/login?code=${issueLoginCode(loginCodes)}`, url)}`;
}
