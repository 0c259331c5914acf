import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { isEnglish } from "./english.ts";

/** Questions in twelve languages, if this clone has the data. */
const shared = fileURLToPath(new URL("../../../../shared/data/xquad/", import.meta.url));

const own: Record<string, string[]> = {
  en: [
    "How do I rename a collection?",
    "The server reads a file again when it changes.",
    "Where are the settings kept?",
    "Why was this technology chosen?",
    "rename collection",
    "rolling update",
    "meeting notes",
    "red hat linux",
    "comment out code",
    "getUserById",
    "ECONNREFUSED 127.0.0.1",
    "Active caspase-11 participate in regulating phagosome-lysosome fusion.",
    "kill -9",
    "",
  ],
  de: [
    "Wie benenne ich eine Sammlung um?",
    "Der Server liest die Datei noch einmal.",
    "Wo liegen die Einstellungen?",
    "Warum wurde diese Technik gewählt?",
    "Nur ein Mensch darf einen Vorschlag annehmen.",
    "ausführliche Anleitung",
    "Suche ohne Treffer",
    "Das Ende der Geschichte ist noch offen.",
    "Kannst du mir sagen, wer gewonnen hat und warum?",
    "Vor dem Start wird alles geprüft.",
    "Schlüssel und Schloss",
    "Er ist nicht zu Hause.",
  ],
  fr: [
    "Comment renommer une collection de documents ?",
    "Quels fichiers sont indexés par le serveur ?",
    "Le document a été supprimé hier soir.",
    "Où se trouve la configuration ?",
    "Pourquoi mon installation échoue-t-elle ?",
    "Il faut redémarrer la machine.",
    "base de connaissances",
    "renommer une collection",
    "Nous cherchons une réponse à cette question.",
    "Elle ne veut pas partir sans lui.",
    "Les résultats sont dans un autre dossier.",
    "Que fait ce programme ?",
  ],
  es: [
    "¿Cómo cambio el nombre de una colección?",
    "El servidor vuelve a leer el archivo.",
    "¿Dónde se guardan los ajustes?",
    "¿Por qué se eligió esta técnica?",
    "base de datos",
    "Solo una persona puede aceptar la propuesta.",
    "No hay resultados para su búsqueda.",
    "El documento fue borrado ayer por la noche.",
    "Los archivos que no se leen",
    "búsqueda avanzada",
    "Todo esto es para ti.",
    "La casa está muy lejos del mar.",
  ],
};

const questionsIn = (language: string): string[] =>
  readFileSync(`${shared}queries.${language}.jsonl`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).text);

const shareOf = (texts: readonly string[]): number =>
  texts.filter((text) => isEnglish(text)).length / texts.length;

describe("[search.model.english] our own sentences and queries", () => {
  for (const [language, texts] of Object.entries(own)) {
    test(`${language}: all are detected correctly`, () => {
      expect(texts.filter((text) => isEnglish(text) !== (language === "en"))).toEqual([]);
    });
  }
});

test(`[search.model.english] of ${existsSync(shared) ? "632 questions in each of twelve languages" : "our own sentences, for want of others,"} at least 99 in a hundred are detected correctly`, () => {
  const languages = existsSync(shared)
    ? "en de es ro tr vi ru el zh ar hi th".split(" ")
    : Object.keys(own);
  for (const language of languages) {
    const share = shareOf(existsSync(shared) ? questionsIn(language) : (own[language] ?? []));
    expect(language === "en" ? share : 1 - share, language).toBeGreaterThanOrEqual(0.99);
  }
});

test("a few foreign words or letters do not make an English text foreign", () => {
  expect(isEnglish("The résumé of José was sent to the team in São Paulo.")).toBe(true);
  expect(isEnglish("The word 犬 means dog, and it is a common word in the language.")).toBe(true);
  expect(isEnglish("日本語の文章 with a bit of English in it")).toBe(false);
});

test("time does not depend on the length of the text", () => {
  const long = "The cat sat on the mat. ".repeat(200_000);

  expect(isEnglish(long)).toBe(true);
  expect(isEnglish(`${"Der Hund liegt auf der Matte. ".repeat(200)}${long}`)).toBe(false);
});
