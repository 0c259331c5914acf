import type { HomeSnapshot } from "../postgres/home-snapshot.ts";
import { get, transaction } from "../storage/steps.ts";
import { type Config, type ConfigFile, changeConfig, parseConfig } from "./config.ts";

const name = "in the database";

/**
 * The configuration of a home on PostgreSQL. It is read from a snapshot, so changes of other servers
 * are known after its next refresh.
 */
export function openStoredConfig(snapshot: HomeSnapshot): ConfigFile {
  let parsed: { version: number; config: Config } | undefined;
  return {
    read() {
      const { version, content } = snapshot.configuration;
      if (parsed?.version !== version) parsed = { version, config: parseConfig(content, name) };
      return parsed.config;
    },
    isGone: () => false,
    update: (change) =>
      transaction(function* () {
        const stored = yield* get<{ content: string }>("SELECT content FROM configuration");
        const config = changeConfig(parseConfig(stored?.content ?? "{}", name), change);
        const content = JSON.stringify(config);
        const written = yield* get<{ version: number }>(
          "UPDATE configuration SET version = version + 1, content = ? RETURNING version",
          content,
        );
        // If the transaction fails, the version differs from the stored one, and is read again.
        snapshot.setConfiguration({ version: written?.version ?? -1, content });
        return config;
      }),
  };
}
