/** The options of the importance of a coding. */
export function ImportanceLevels() {
  return (
    <>
      {[0, 1, 2, 3].map((level) => (
        <option key={level} value={level}>
          {level === 0 ? "none" : level}
        </option>
      ))}
    </>
  );
}
