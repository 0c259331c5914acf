import { expect, test } from "vitest";
import { languageOf } from "./written-language.ts";

const of = (text: string) => languageOf(text.split("\n"));

test("a text tells its language by its small words or its script", () => {
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

test("front matter says nothing of the language, and what is too short tells none", () => {
  expect(of("---\ntitle: the of and to in is that for it with\n---\nLampe 7")).toBeUndefined();
  expect(of("")).toBeUndefined();
  expect(of("npm install lectern")).toBeUndefined();
  expect(of("x = 1\ny = 2")).toBeUndefined();
});

test("a few words of another script do not make a text theirs", () => {
  expect(of("The word 灯台 is the name of the tower in the story, and it is in the title.")).toBe(
    "en",
  );
});
