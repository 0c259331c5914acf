import type { Signal } from "@preact/signals";
import { TitledDialog } from "../components/window.tsx";
import { areSettingsOpen, characterKeys, size, sizes, theme, themes } from "./settings.ts";

export function SettingsWindow() {
  if (!areSettingsOpen.value) return null;
  return (
    <TitledDialog name="settings" title="Settings" close={close}>
      <Choice name="theme" label="Theme" choices={themes} chosen={theme} />
      <Choice name="size" label="Text size" choices={sizes} chosen={size} />
      <CharacterKeys />
      <p class="notice">
        Animations follow the system setting for reduced motion. These settings are stored in this
        browser.
      </p>
    </TitledDialog>
  );
}

const close = (): void => {
  areSettingsOpen.value = false;
};

interface ChoiceProps {
  name: string;
  label: string;
  choices: readonly (readonly [value: string, label: string])[];
  chosen: Signal<string>;
}

function Choice({ name, label, choices, chosen }: ChoiceProps) {
  return (
    <fieldset>
      <legend>{label}</legend>
      {choices.map(([value, text]) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            checked={chosen.value === value}
            onChange={() => {
              chosen.value = value;
            }}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

export function CharacterKeys() {
  return (
    <label>
      <input
        type="checkbox"
        checked={characterKeys.value === "on"}
        onChange={(event) => {
          characterKeys.value = event.currentTarget.checked ? "on" : "off";
        }}
      />
      Single-key shortcuts
    </label>
  );
}
