import { useSignal } from "@preact/signals";
import { adaptedThemes, isColour, palette } from "../colour.ts";
import { Swatch } from "../swatch.tsx";

/**
 * Offers colours with enough contrast in both themes, and any other colour, with a note if it is
 * adapted.
 */
export function ColourPicker({ color }: { color: string | null }) {
  const chosen = useSignal(isColour(color) ? color.toUpperCase() : palette[0]);
  const offeredColours = palette.map((hex) => hex.toUpperCase());
  const adapted = adaptedThemes(chosen.value);
  return (
    <fieldset class="colours">
      <legend>Colour</legend>
      <input type="hidden" name="color" value={chosen.value} />
      {offeredColours.map((hex, index) => (
        <label key={hex} title={hex}>
          <input
            type="radio"
            name="offered-colour"
            checked={chosen.value === hex}
            aria-label={`Colour ${index + 1}, ${hex}`}
            onChange={() => {
              chosen.value = hex;
            }}
          />
          <Swatch color={hex} />
        </label>
      ))}
      <label class="other">
        Other
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
          ? "Visible in the light and the dark theme."
          : `Too faint in the ${adapted.join(" and ")} theme: shown ${adapted
              .map((theme) => (theme === "light" ? "darker" : "lighter"))
              .join(" and ")} there.`}
      </p>
    </fieldset>
  );
}
