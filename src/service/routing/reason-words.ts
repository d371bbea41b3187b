/** Words of routing reasons. They are English in every language of the window: callers read them in `_meta`. */

/** `8 points`, `0.5 points`: a difference of two qualities, on the scale from 0 to 100, to a hundredth of a point. */
export function qualityPoints(difference: number): string {
  const points = Math.round(1e4 * Math.abs(difference)) / 100
  return `${points} ${points === 1 ? 'point' : 'points'}`
}

/** `openai:gpt-5.4-mini at medium effort`; the model alone where the router sends no effort. */
export function modelAt(model: string, effort: string | undefined): string {
  return effort === undefined ? model : `${model} at ${effort} effort`
}
