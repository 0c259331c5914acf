import { address } from "./address.ts";
import { keyTable } from "./key-table.ts";
import { isSheetOpen } from "./keys.ts";
import { screens } from "./screen-list.ts";
import { CharacterKeys } from "./settings-window.tsx";
import { Window } from "./window.tsx";

/** The keys of every screen: those of the one that is seen are open. */
export function KeySheet() {
  const there = new Set(screens.value.map(({ name }) => name));
  const groups = keyTable.filter(({ screen }) => screen === undefined || there.has(screen));
  if (!isSheetOpen.value) return null;
  return (
    <Window name="keys" title="Keys" close={close}>
      {groups.map(({ title, screen, acts }) => (
        <details key={title} open={screen === undefined || screen === address.value.view}>
          <summary>{title}</summary>
          <Acts acts={acts} />
        </details>
      ))}
      <details>
        <summary>From screen to screen</summary>
        <Acts acts={screens.value.map(({ key, label }) => ({ keys: [`g ${key}`], act: label }))} />
      </details>
      <CharacterKeys />
    </Window>
  );
}

const close = (): void => {
  isSheetOpen.value = false;
};

function Acts({ acts }: Pick<(typeof keyTable)[number], "acts">) {
  return (
    <dl>
      {acts.map(({ keys, act }) => (
        <div key={act}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{act}</dd>
        </div>
      ))}
    </dl>
  );
}
