import { address } from "../app/address.ts";
import { screens } from "../app/screen-list.ts";
import { TitledDialog } from "../components/window.tsx";
import { CharacterKeys } from "../settings/settings-window.tsx";
import { shortcutTable } from "./shortcut-table.ts";
import { isShortcutHelpOpen } from "./shortcuts.ts";

/** The shortcuts of every screen. Those of the current screen are expanded. */
export function ShortcutHelp() {
  const available = new Set(screens.value.map(({ name }) => name));
  const groups = shortcutTable.filter(
    ({ screen }) => screen === undefined || available.has(screen),
  );
  if (!isShortcutHelpOpen.value) return null;
  return (
    <TitledDialog name="keys" title="Keyboard shortcuts" close={close}>
      {groups.map(({ title, screen, acts }) => (
        <details key={title} open={screen === undefined || screen === address.value.view}>
          <summary>{title}</summary>
          <Acts acts={acts} />
        </details>
      ))}
      <details>
        <summary>Switch screens</summary>
        <Acts acts={screens.value.map(({ key, label }) => ({ keys: [`g ${key}`], act: label }))} />
      </details>
      <CharacterKeys />
    </TitledDialog>
  );
}

const close = (): void => {
  isShortcutHelpOpen.value = false;
};

function Acts({ acts }: Pick<(typeof shortcutTable)[number], "acts">) {
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
