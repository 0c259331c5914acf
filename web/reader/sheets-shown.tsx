import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Sheet } from "../markdown/sheets.ts";

interface SheetsProps {
  sheets: readonly Sheet[];
  /** The line that somebody came for. */
  here: number | undefined;
  draw(sheet: Sheet, here: number | undefined): ComponentChildren;
}

/** A text of so many lines is drawn at once; of a longer one, what is near. */
const drawnAtOnce = 2_000;

/**
 * How far before it is seen a sheet is drawn: beside the list the margin of what scrolls counts, and
 * on a narrow screen that of the window.
 */
const margins = { scrollMargin: "1200px 0px", rootMargin: "1200px 0px" };

/**
 * A text of any length. A sheet that is far away holds its lines as they are written, so that the
 * browser finds words in it; it becomes what it means when it comes near, or goes to paper. What is
 * out of sight is not laid out, and takes as much room as we guess until it was seen.
 */
export function Sheets({ sheets, here, draw }: SheetsProps) {
  const length = sheets.reduce((sum, { lines }) => sum + lines.length, 0);
  const isShort = length <= drawnAtOnce;
  const near = useMemo(() => new Map<number, Signal<boolean>>(), []);
  const nearOf = (line: number): Signal<boolean> => {
    const known = near.get(line) ?? signal(isShort);
    near.set(line, known);
    return known;
  };
  const watch = useMemo(
    () =>
      new IntersectionObserver((entries) => {
        for (const { isIntersecting, target } of entries) {
          if (isIntersecting) nearOf(Number(target.getAttribute("data-line"))).value = true;
        }
      }, margins),
    [],
  );
  useEffect(() => {
    const drawAll = () => {
      for (const isNear of near.values()) isNear.value = true;
    };
    addEventListener("beforeprint", drawAll);
    return () => {
      removeEventListener("beforeprint", drawAll);
      watch.disconnect();
    };
  }, [near, watch]);
  return sheets.map((sheet) => {
    const isHere =
      here !== undefined && here >= sheet.line && here < sheet.line + sheet.lines.length;
    return (
      <SheetShown
        key={sheet.line}
        sheet={sheet}
        here={isHere ? here : undefined}
        draw={draw}
        watch={watch}
        isNear={nearOf(sheet.line)}
      />
    );
  });
}

interface SheetProps extends Omit<SheetsProps, "sheets"> {
  sheet: Sheet;
  watch: IntersectionObserver;
  isNear: Signal<boolean>;
}

function SheetShown({ sheet, here, draw, watch, isNear }: SheetProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = frame;
    if (!current || isNear.peek()) return undefined;
    watch.observe(current);
    return () => watch.unobserve(current);
  }, [watch, isNear]);
  const isDrawn = isNear.value || here !== undefined;
  return (
    <div
      ref={frame}
      class={isDrawn ? "sheet" : "sheet raw"}
      data-line={sheet.line}
      style={{ containIntrinsicBlockSize: `auto ${guessedHeight(sheet)}px` }}
    >
      {isDrawn ? draw(sheet, here) : sheet.lines.join("\n")}
    </div>
  );
}

/** By how many lines of a page the text would fill. */
const guessedHeight = ({ lines }: Sheet): number =>
  lines.reduce((sum, { length }) => sum + (length === 0 ? 12 : Math.ceil(length / 80) * 28), 0);
