/**
 * Works each answer out once, for as long as its object lives. What was parsed is never changed, so
 * what follows from it alone outlives the view it was first asked in.
 */
export function remembered<Thing extends object, Answer>(
  work: (thing: Thing) => Answer,
): (thing: Thing) => Answer {
  const answers = new WeakMap<Thing, { answer: Answer }>();
  return (thing) => {
    const known = answers.get(thing) ?? { answer: work(thing) };
    answers.set(thing, known);
    return known.answer;
  };
}
