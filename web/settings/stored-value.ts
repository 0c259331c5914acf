import { effect, type Signal, signal } from "@preact/signals";

/**
 * A value in local storage under `lectern-<name>`. Without local storage it lasts as long as the
 * page.
 */
export function storedValue(name: string, defaultValue: string): Signal<string> {
  const choice = signal(readStored(name) ?? defaultValue);
  effect(() => writeStored(name, choice.value));
  return choice;
}

function readStored(name: string): string | null {
  try {
    return localStorage.getItem(`lectern-${name}`);
  } catch {
    return null;
  }
}

function writeStored(name: string, choice: string): void {
  try {
    localStorage.setItem(`lectern-${name}`, choice);
  } catch {
    // Without local storage the value lasts as long as the page.
  }
}
