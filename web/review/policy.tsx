import { computed, signal, useSignal } from "@preact/signals";
import { address, go } from "../address.ts";
import { asking } from "../asking.ts";
import { call, type Input, type Output } from "../client.ts";
import { useArrival } from "../link.tsx";
import { reads } from "./reads.tsx";
import { TrustedClients } from "./trusted-clients.tsx";

type Tier = Input<"set_policy">["tier"];
type Governed = Output<"list_policy">["operations"][number];

/** Stands for every agent, or for every operation. */
const everyone = "*";

const agent = computed(() => address.value.of || everyone);

const policy = asking((signal) =>
  address.value.view === "review" && address.value.part === "policy"
    ? call("list_policy", { agent: agent.value }, signal)
    : undefined,
);

const outcome = signal("");

/** Those that have a rule of their own or have read something. */
const knownAgents = computed(() => {
  const ruled = policy.answer.value?.rules.map((rule) => rule.agent) ?? [];
  const readers = reads.answer.value?.reads.map((read) => read.agent) ?? [];
  const names = new Set([...ruled, ...readers, agent.value]);
  names.delete(everyone);
  return [...names].sort((a, b) => a.localeCompare(b));
});

/** How far agents may go by themselves, with each operation. */
export function Policy() {
  const heading = useArrival("policy");
  const { operations = [], meanings = [] } = policy.answer.value ?? {};
  const kinds = [
    ["What changes a project", ({ effect }: Governed) => effect === "writes"],
    ["What takes something away", ({ effect }: Governed) => effect === "deletes"],
    ["What only reads", ({ effect }: Governed) => effect === "reads"],
  ] as const;
  return (
    <section class="policy" aria-labelledby="policy">
      <h2 id="policy" ref={heading} tabIndex={-1}>
        How far agents may go
      </h2>
      <dl class="tiers">
        {meanings.map(({ tier, means }) => (
          <div key={tier}>
            <dt>{tier}</dt>
            <dd>{means}</dd>
          </div>
        ))}
      </dl>
      <AgentChoice />
      <p class="outcome" role="status">
        {policy.failure.value ?? outcome.value}
      </p>
      {policy.answer.value && (
        <>
          <table>
            <caption class="unseen">For everything at once</caption>
            <tbody>
              <Everything />
            </tbody>
          </table>
          {kinds.map(([label, isOfKind]) => (
            <table key={label}>
              <caption>{label}</caption>
              <thead>
                <tr>
                  <th scope="col">Operation</th>
                  <th scope="col">An agent</th>
                </tr>
              </thead>
              <tbody>
                {operations.filter(isOfKind).map((one) => (
                  <OneOperation key={one.operation} governed={one} />
                ))}
              </tbody>
            </table>
          ))}
          <TrustedClients trusted={policy.answer.value.trusted} />
        </>
      )}
    </section>
  );
}

function AgentChoice() {
  const another = useSignal("");
  return (
    <div class="whom">
      <label>
        For
        <select
          value={agent.value}
          onChange={({ currentTarget: { value } }) => go({ of: value === everyone ? "" : value })}
        >
          <option value={everyone}>every agent</option>
          {knownAgents.value.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          go({ of: another.value.trim() });
          another.value = "";
        }}
      >
        <label>
          or another, by its name
          <input
            type="text"
            required
            maxLength={200}
            value={another.value}
            onInput={(event) => {
              another.value = event.currentTarget.value;
            }}
          />
        </label>
        <button type="submit">Show</button>
      </form>
      {agent.value !== everyone && (
        <p class="about">A rule for one agent can only be stricter than the rule for all.</p>
      )}
    </div>
  );
}

const ruleFor = (operation: string, whom: string) =>
  policy.answer.value?.rules.find((rule) => rule.operation === operation && rule.agent === whom);

function Everything() {
  const tiers = policy.answer.value?.meanings.map(({ tier }) => tier) ?? [];
  return (
    <tr>
      <th scope="row">
        Everything <span class="about">unless it is set below</span>
      </th>
      <td>
        <TierChoice operation={everyone} label="Everything" usual="as usual" possible={tiers} />
      </td>
    </tr>
  );
}

function OneOperation({ governed }: { governed: Governed }) {
  const { operation, title, tier, possible } = governed;
  const own = ruleFor(operation, agent.value);
  return (
    <tr class={own ? "ruled" : undefined}>
      <th scope="row">
        {title} <code>{operation}</code>
      </th>
      <td>
        <TierChoice
          operation={operation}
          label={title}
          usual={own ? "as usual" : `as usual: ${tier}`}
          possible={possible}
        />
        {own && own.tier !== tier && <span class="about"> in force: {tier}</span>}
      </td>
    </tr>
  );
}

interface TierChoiceProps {
  operation: string;
  label: string;
  usual: string;
  possible: readonly Exclude<Tier, "usual">[];
}

function TierChoice({ operation, label, usual, possible }: TierChoiceProps) {
  const now: Tier = ruleFor(operation, agent.value)?.tier ?? "usual";
  return (
    <select
      aria-label={`${label} (${operation})`}
      value={now}
      onChange={({ currentTarget }) =>
        // The choices are those below.
        void set(operation, currentTarget.value as Tier)
      }
    >
      <option value="usual">{usual}</option>
      {possible.map((tier) => (
        <option key={tier} value={tier}>
          {tier}
        </option>
      ))}
    </select>
  );
}

async function set(operation: string, tier: Tier): Promise<void> {
  try {
    await call("set_policy", { operation, tier, agent: agent.value });
    const what = operation === everyone ? "Everything" : operation;
    const whom = agent.value === everyone ? "every agent" : agent.value;
    outcome.value = `${what} for ${whom}: ${tier === "usual" ? "as usual" : tier}.`;
  } catch (error) {
    outcome.value = error instanceof Error ? error.message : String(error);
  }
}
