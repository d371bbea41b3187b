/** A question without its options and its signs, so that another form of the same question is found. */
export function questionStem(prompt: string): string {
  const question = prompt.split(/\n\(?A[.):]/)[0] ?? ''
  return question
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
}
