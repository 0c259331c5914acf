import type { Call } from "../../kernel/call.ts";
import type { ChangeLog } from "../../kernel/change-log.ts";
import type { Database } from "../../kernel/database.ts";
import type { AnyOperation } from "../../kernel/operation.ts";
import { allRules, putRule, type Rule, removeRule, ruleOf } from "./storage.ts";
import { isStricter, stricter, type Tier, tiers } from "./tier.ts";

/** Stands for every operation, or for every agent. */
export const everyone = "*";

/** The researcher's rules for agents. Only what a person calls changes them. */
export interface Policy {
  tierOf(operation: Governed, agent: string): Tier;
  rules(): Rule[];
  /** Sets a rule, or takes it away where its tier is the usual one; it can be undone. */
  change(rule: Wish, call: Call): void;
}

/** A rule to be, or to be no more. */
interface Wish extends Omit<Rule, "tier"> {
  tier: Tier | "usual";
}

type Governed = Pick<AnyOperation, "name" | "effect">;

/** The operation by which a person changes the policy, and by which a change is undone. */
export const settingOperation = "set_policy";

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
  };
}

/** What is only read cannot wait in a list: an agent reads, or reads and it is told. */
export const tiersFor = ({ effect }: Governed): readonly Tier[] =>
  effect === "reads" ? ["autonomous", "notify"] : tiers;

export const usualTier = ({ name, effect }: Governed): Tier =>
  effect === "reads" && !/^(open|close)_project$/.test(name) ? "autonomous" : "notify";
