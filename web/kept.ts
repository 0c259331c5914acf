import { effect, type Signal, signal } from "@preact/signals";

/**
 * A choice that the browser remembers under `lectern-<name>`. A browser may be told to keep
 * nothing; the choice then lasts as long as the page.
 */
export function kept(name: string, usual: string): Signal<string> {
  const choice = signal(stored(name) ?? usual);
  effect(() => store(name, choice.value));
  return choice;
}

function stored(name: string): string | null {
  try {
    return localStorage.getItem(`lectern-${name}`);
  } catch {
    return null;
  }
}

function store(name: string, choice: string): void {
  try {
    localStorage.setItem(`lectern-${name}`, choice);
  } catch {
    // Nothing is lost but the memory of the choice.
  }
}
