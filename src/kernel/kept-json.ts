import { storeDamaged } from "./database.ts";

/** What a row keeps as JSON. Only we write it, so what cannot be read was damaged on the disk. */
export function readKept<Value>(text: string): Value {
  try {
    // Whoever wrote the row gave a value of this kind.
    return JSON.parse(text) as Value;
  } catch (error) {
    throw storeDamaged(error);
  }
}
