import { type Admission, openAdmission, ruleInWords } from "../../kernel/peers/admission.ts";
import type { Check } from "./doctor-check.ts";

/** Who is served over loopback without a credential, by a rule that is in force or would be. */
export function checkLoopback(rule: Admission["rule"]): Check {
  const name = "loopback";
  const says = ruleInWords[rule].replace(/^Loopback: /, "");
  if (rule === "same-user") return { name, state: "ok", says };
  const remedy =
    rule === "open"
      ? "Start the server without --open-loopback."
      : "Send it as 'Authorization: Bearer <secret>'; the file 'secret' in the home holds it.";
  return { name, state: rule === "open" ? "warn" : "ok", says, remedy };
}

/** What a server that is started now would do. */
export const checkIdentification = async (): Promise<Check> =>
  checkLoopback((await openAdmission()).rule);
