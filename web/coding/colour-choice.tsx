import { useSignal } from "@preact/signals";
import { adaptedOn, isColour, palette } from "./colour.ts";
import { Swatch } from "./swatch.tsx";

/** Colours that are seen on both papers, and any other; it is said where that one is adapted. */
export function ColourChoice({ color }: { color: string | null }) {
  const chosen = useSignal(isColour(color) ? color.toUpperCase() : palette[0]);
  const offered = palette.map((one) => one.toUpperCase());
  const adapted = adaptedOn(chosen.value);
  return (
    <fieldset class="colours">
      <legend>Colour</legend>
      <input type="hidden" name="color" value={chosen.value} />
      {offered.map((one, at) => (
        <label key={one} title={one}>
          <input
            type="radio"
            name="offered-colour"
            checked={chosen.value === one}
            aria-label={`Colour ${at + 1}, ${one}`}
            onChange={() => {
              chosen.value = one;
            }}
          />
          <Swatch color={one} />
        </label>
      ))}
      <label class="other">
        Another
        <input
          type="color"
          value={chosen.value}
          onInput={(event) => {
            chosen.value = event.currentTarget.value.toUpperCase();
          }}
        />
      </label>
      <p class="about" role="status">
        {adapted.length === 0
          ? "Seen well on light and on dark."
          : `Too faint on ${adapted.join(" and ")}: it is shown ${adapted
              .map((theme) => (theme === "light" ? "darker" : "lighter"))
              .join(" and ")} there.`}
      </p>
    </fieldset>
  );
}
