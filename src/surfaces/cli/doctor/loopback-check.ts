import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import {
  type Admission,
  describeAdmission,
  openAdmission,
} from "../../../kernel/peers/admission.ts";
import { isJsonObject, tryParseJson } from "../../../text/formats/json-value.ts";
import type { Check } from "./check.ts";

/** Describes who may connect over loopback without a credential. */
export function checkLoopback(admission: Pick<Admission, "rule" | "allowedUsers">): Check {
  const name = "loopback";
  const { rule } = admission;
  const says = describeAdmission(admission).replace(/^Loopback: /, "");
  if (rule === "same-user") return { name, state: "ok", says };
  const remedy =
    rule === "open"
      ? "Start the server without --open-loopback."
      : "Send it as 'Authorization: Bearer <secret>'; it is in the file 'secret' in the home.";
  return { name, state: rule === "open" ? "warn" : "ok", says, remedy };
}

/** Checks the rule of this home's running server, or the one that a new server would apply. */
export const checkPeerIdentification = async (socket: string): Promise<Check> =>
  (await askRunningServer(socket)) ?? checkLoopback(await openAdmission());

/** The check of the running server, asked over the home's socket, because its flags decide. */
async function askRunningServer(socket: string): Promise<Check | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const sent = request({ socketPath: socket, path: "/system", headers, signal }).end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const state = tryParseJson(await text(response));
    const findings = isJsonObject(state) && Array.isArray(state.findings) ? state.findings : [];
    return findings.find((finding) => isJsonObject(finding) && finding.name === "loopback") as
      | Check
      | undefined;
  } catch {
    return undefined;
  }
}

const headers = { host: "localhost" };
const timeoutMs = 1_000;
