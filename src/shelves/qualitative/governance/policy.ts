import type { ChangeLog } from "../../../kernel/approval/change-log.ts";
import type { Call } from "../../../kernel/call.ts";
import { createRandomKey, sha256Hex } from "../../../kernel/files/hashes.ts";
import { hasDamagedRows } from "../../../kernel/integrity/checksummed-rows.ts";
import type { AnyOperation } from "../../../kernel/operation.ts";
import { type Steps, transaction } from "../../../kernel/storage/steps.ts";
import { agentNameOf } from "../project/coder.ts";
import {
  allPolicyRules,
  allTrustedClients,
  deletePolicyRule,
  deleteTrustedClient,
  findPolicyRule,
  findTrustedClient,
  type PolicyRule,
  policyTables,
  savePolicyRule,
  saveTrustedClient,
  type TrustedClient,
} from "../storage.ts";
import { isStricter, stricterOf, type Tier, tiers } from "./tier.ts";

/** Matches every operation or every agent in a rule. */
export const wildcard = "*";

/** The researcher's rules for agents. Only operations that a person calls change them. */
export interface Policy {
  tierOf(operation: TieredOperation, agent: string): Steps<Tier>;
  rules(): Steps<PolicyRule[]>;
  /** Sets a rule, or deletes it for the tier `default`. The change can be undone. */
  setRule(rule: PolicyRuleChange, call: Call): Steps<void>;
  /** Since when this client is trusted to relay the person's answers; undefined if it is not. */
  trustedSince(call: Call): Steps<string | undefined>;
  trustedClients(): Steps<TrustedClient[]>;
  /** Trusts a client by its name and a new key. The key is returned only here. */
  trust(client: string, call: Call): Steps<TrustedClient & { key: string }>;
  distrust(client: string, call: Call): Steps<void>;
}

/** A rule to set, or with `default` to delete. */
interface PolicyRuleChange extends Omit<PolicyRule, "tier"> {
  tier: Tier | "default";
}

type TieredOperation = Pick<AnyOperation, "name" | "effect">;

/** The operation by which a person changes the policy, and by which a change is undone. */
export const setPolicyOperation = "set_policy";

/** The operation by which a person stops trusting a client. */
export const distrustClientOperation = "distrust_client";

export function openPolicy(activity: ChangeLog): Policy {
  /** A rule for one operation takes precedence over a rule for all. */
  function* ruleTier(operation: string, agent: string): Steps<Tier | undefined> {
    const rule = yield* findPolicyRule({ operation, agent });
    return (rule ?? (yield* findPolicyRule({ operation: wildcard, agent })))?.tier;
  }
  return {
    /**
     * Agents choose their own names, so a rule for one agent can only be stricter than the rule for
     * all. An agent therefore gains nothing by using another name.
     */
    *tierOf(operation, agent) {
      // A damaged rule may have been the strictest one, so a person decides until it is repaired.
      if (yield* hasDamagedRows(policyTables.rules)) return strictestOf(operation);
      const forAll = (yield* ruleTier(operation.name, wildcard)) ?? defaultTier(operation);
      const forAgent = (yield* ruleTier(operation.name, agent)) ?? "autonomous";
      const strictest = stricterOf(forAll, forAgent);
      return possibleTiers(operation).findLast((tier) => !isStricter(tier, strictest)) ?? forAll;
    },
    rules: allPolicyRules,
    setRule: ({ operation, agent, tier }, call) =>
      transaction(function* () {
        const before = (yield* findPolicyRule({ operation, agent }))?.tier ?? "default";
        if (tier === "default") yield* deletePolicyRule({ operation, agent });
        else yield* savePolicyRule({ operation, agent, tier });
        yield* activity.record({
          call,
          operation: setPolicyOperation,
          summary: `Set the tier of ${operation} for ${agent} to ${tier}`,
          undo: { operation: setPolicyOperation, input: { operation, agent, tier: before } },
        });
      }),
    /** Clients choose their own names, so a name counts only with its key. */
    *trustedSince(call) {
      if (call.clientKey === undefined || (yield* hasDamagedRows(policyTables.clients)))
        return undefined;
      return (yield* findTrustedClient(agentNameOf(call), sha256Hex(call.clientKey)))?.since;
    },
    trustedClients: allTrustedClients,
    *trust(client, call) {
      const key = createRandomKey();
      const since = new Date().toISOString();
      yield* transaction(function* () {
        yield* saveTrustedClient({ client, since, keyHash: sha256Hex(key) });
        yield* activity.record({
          call,
          operation: "trust_client",
          summary: `Trusted the client '${client}' to relay approvals`,
          undo: { operation: distrustClientOperation, input: { client } },
        });
      });
      return { client, since, key };
    },
    distrust: (client, call) =>
      transaction(function* () {
        if (!(yield* deleteTrustedClient(client))) return;
        const summary = `Stopped trusting the client '${client}'`;
        yield* activity.record({ call, operation: distrustClientOperation, summary });
      }),
  };
}

/** A read cannot be proposed: an agent reads, with or without a notice. */
export const possibleTiers = ({ effect }: TieredOperation): readonly Tier[] =>
  effect === "reads" ? ["autonomous", "notify"] : tiers;

const strictestOf = (operation: TieredOperation): Tier =>
  possibleTiers(operation).reduce((one, other) => stricterOf(one, other));

/** Agents may change rows that agents made; rows that a person made or edited are protected. */
export function defaultTier({ name, effect }: TieredOperation): Tier {
  if (effect !== "reads") return "protect";
  return /^(open|close)_project$/.test(name) ? "notify" : "autonomous";
}
