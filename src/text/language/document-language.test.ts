import { expect, test } from "vitest";
import { documentLanguageOf } from "./document-language.ts";

const of = (text: string) => documentLanguageOf(text.split("\n"));

test("a language is detected by its function words or its script", () => {
  expect(of("The lamp is lit at dusk, and the keeper writes it into the log of the tower.")).toBe(
    "en",
  );
  expect(of("Die Lampe wird in der Dämmerung entzündet, und der Wärter schreibt es auf.")).toBe(
    "de",
  );
  expect(of("La lampe est allumée au crépuscule et le gardien le note dans le journal.")).toBe(
    "fr",
  );
  expect(
    of("La lámpara se enciende al anochecer y el farero lo apunta en el diario del faro."),
  ).toBe("es");
  expect(of("最後の灯台守は灯台に残った。")).toBe("ja");
  expect(of("灯塔的守望者留在了灯塔里。")).toBe("zh");
  expect(of("Смотритель маяка зажигает лампу.")).toBe("ru");
  expect(of("등대지기는 등대에 남았다.")).toBe("ko");
});

test("front matter is ignored, and a text that is too short has no language", () => {
  expect(of("---\ntitle: the of and to in is that for it with\n---\nLampe 7")).toBeUndefined();
  expect(of("")).toBeUndefined();
  expect(of("npm install lectern")).toBeUndefined();
  expect(of("x = 1\ny = 2")).toBeUndefined();
});

test("a few words of another script do not change the language", () => {
  expect(of("The word 灯台 is the name of the tower in the story, and it is in the title.")).toBe(
    "en",
  );
});
