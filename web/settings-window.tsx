import type { Signal } from "@preact/signals";
import { areSettingsOpen, characterKeys, size, sizes, theme, themes } from "./settings.ts";
import { Window } from "./window.tsx";

export function SettingsWindow() {
  if (!areSettingsOpen.value) return null;
  return (
    <Window name="settings" title="Settings" close={close}>
      <Choice name="theme" label="Theme" choices={themes} chosen={theme} />
      <Choice name="size" label="Size of the text" choices={sizes} chosen={size} />
      <CharacterKeys />
      <p class="notice">
        Motion follows the system: where it asks for less, nothing moves. These choices are kept by
        this browser.
      </p>
    </Window>
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
      {choices.map(([value, words]) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            checked={chosen.value === value}
            onChange={() => {
              chosen.value = value;
            }}
          />
          {words}
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
      Keys of a single character
    </label>
  );
}
