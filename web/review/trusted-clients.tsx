import { signal, useSignal } from "@preact/signals";
import { call, type Output } from "../client.ts";

const outcome = signal("");
/** The key of the client that was just trusted; the server does not give it again. */
const given = signal<{ client: string; key: string } | undefined>(undefined);

/** The clients whose answers count as the person's own, where a yes is required. */
export function TrustedClients({ trusted }: Pick<Output<"list_policy">, "trusted">) {
  const name = useSignal("");
  return (
    <section class="trusted" aria-labelledby="trusted">
      <h3 id="trusted">Clients that may relay your answer</h3>
      <p class="about">
        Where your yes is required, it waits here. A client that you trust may ask you as well: it
        must start <code>lectern mcp</code> itself, with the key that you get here.
      </p>
      <ul>
        {trusted.map(({ client, since }) => (
          <li key={client}>
            {client}, since {new Date(since).toLocaleDateString()}{" "}
            <button type="button" class="quiet" onClick={() => void distrust(client)}>
              Stop trusting<span class="unseen"> {client}</span>
            </button>
          </li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void trust(name.value.trim());
          name.value = "";
        }}
      >
        <label>
          Trust a client, by the name that it gives itself
          <input
            type="text"
            required
            maxLength={100}
            value={name.value}
            onInput={({ currentTarget }) => {
              name.value = currentTarget.value;
            }}
          />
        </label>
        <button type="submit">Trust</button>
      </form>
      <p role="status">{outcome.value}</p>
      {given.value && (
        <p>
          Put this into the environment of {given.value.client}'s server. It is not shown again:{" "}
          <code>LECTERN_CLIENT_KEY={given.value.key}</code>
        </p>
      )}
    </section>
  );
}

async function trust(client: string): Promise<void> {
  try {
    given.value = await call("trust_client", { client });
    outcome.value = `${client} may relay your answer.`;
  } catch (error) {
    outcome.value = error instanceof Error ? error.message : String(error);
  }
}

async function distrust(client: string): Promise<void> {
  try {
    await call("distrust_client", { client });
    given.value = undefined;
    outcome.value = `${client} is not trusted any more.`;
  } catch (error) {
    outcome.value = error instanceof Error ? error.message : String(error);
  }
}
