import type { Call } from "../../kernel/call.ts";
import type { ChangeLog } from "../../kernel/change-log.ts";
import type { Database } from "../../kernel/database.ts";
import { hashOf, newKey } from "../../kernel/hashing.ts";
import type { AnyOperation } from "../../kernel/operation.ts";
import { agentOf } from "./coder.ts";
import {
  allRules,
  allTrusted,
  putRule,
  putTrusted,
  type Rule,
  removeRule,
  removeTrusted,
  ruleOf,
  type TrustedClient,
  trustedBy,
} from "./storage.ts";
import { isStricter, stricter, type Tier, tiers } from "./tier.ts";

/** Stands for every operation, or for every agent. */
export const everyone = "*";

/** The researcher's rules for agents. Only what a person calls changes them. */
export interface Policy {
  tierOf(operation: Governed, agent: string): Tier;
  rules(): Rule[];
  /** Sets a rule, or takes it away where its tier is the usual one; it can be undone. */
  change(rule: Wish, call: Call): void;
  /** Since when this caller is trusted to relay the person's answers; nothing where it is not. */
  trustedSince(call: Call): string | undefined;
  trusted(): TrustedClient[];
  /** Trusts a client by its name and by a new key, which is given here and never again. */
  trust(client: string, call: Call): TrustedClient & { key: string };
  distrust(client: string, call: Call): void;
}

/** A rule to be, or to be no more. */
interface Wish extends Omit<Rule, "tier"> {
  tier: Tier | "usual";
}

type Governed = Pick<AnyOperation, "name" | "effect">;

/** The operation by which a person changes the policy, and by which a change is undone. */
export const settingOperation = "set_policy";

/** The operation by which a person takes a client's trust away. */
export const distrustOperation = "distrust_client";

export function openPolicy(db: Database, activity: ChangeLog): Policy {
  /** What is said of one operation counts more than what is said of all. */
  const said = (operation: string, agent: string): Tier | undefined =>
    (ruleOf(db, { operation, agent }) ?? ruleOf(db, { operation: everyone, agent }))?.tier;
  return {
    /**
     * Agents name themselves, so what is said of one name can only be stricter: whoever borrows
     * another's name gains nothing by it.
     */
    tierOf(operation, agent) {
      const forAll = said(operation.name, everyone) ?? usualTier(operation);
      const wanted = stricter(forAll, said(operation.name, agent) ?? "autonomous");
      return tiersFor(operation).findLast((tier) => !isStricter(tier, wanted)) ?? forAll;
    },
    rules: () => allRules(db),
    change({ operation, agent, tier }, call) {
      db.transaction(() => {
        const before = ruleOf(db, { operation, agent })?.tier ?? "usual";
        if (tier === "usual") removeRule(db, { operation, agent });
        else putRule(db, { operation, agent, tier });
        activity.record({
          call,
          operation: settingOperation,
          summary: `Set the tier of ${operation} for ${agent} to ${tier}`,
          undo: { operation: settingOperation, input: { operation, agent, tier: before } },
        });
      });
    },
    /** Names are what clients say of themselves, so a name counts only together with its key. */
    trustedSince: (call) =>
      call.clientKey === undefined
        ? undefined
        : trustedBy(db, agentOf(call), hashOf(call.clientKey))?.since,
    trusted: () => allTrusted(db),
    trust(client, call) {
      const key = newKey();
      const since = new Date().toISOString();
      db.transaction(() => {
        putTrusted(db, { client, since, keyHash: hashOf(key) });
        activity.record({
          call,
          operation: "trust_client",
          summary: `Trusted the client '${client}' to relay approvals`,
          undo: { operation: distrustOperation, input: { client } },
        });
      });
      return { client, since, key };
    },
    distrust(client, call) {
      db.transaction(() => {
        if (!removeTrusted(db, client)) return;
        const summary = `Stopped trusting the client '${client}'`;
        activity.record({ call, operation: distrustOperation, summary });
      });
    },
  };
}

/** What is only read cannot wait in a list: an agent reads, or reads and it is told. */
export const tiersFor = ({ effect }: Governed): readonly Tier[] =>
  effect === "reads" ? ["autonomous", "notify"] : tiers;

/** What agents made they may change again; what a person made or edited is protected. */
export function usualTier({ name, effect }: Governed): Tier {
  if (effect !== "reads") return "protect";
  return /^(open|close)_project$/.test(name) ? "notify" : "autonomous";
}
