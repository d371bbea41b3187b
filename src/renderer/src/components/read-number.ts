/** The number in a `NumberField`: null when empty, NaN for other text, which the service rejects. */
export function readNumber(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}
