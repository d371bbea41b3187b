/** A question without its options and punctuation, which matches other forms of the same question. */
export function questionStem(prompt: string): string {
  const question = prompt.split(/\n\(?A[.):]/)[0] ?? ''
  return question
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
}
