/** English unless the window chooses another, so that the terminal and tests always look the same. */
let locale = 'en-US'

/** The locale of numbers, money and dates. */
export function formatLocale(): string {
  return locale
}

/** Formats numbers, money and dates as in this locale from now on. */
export function setFormatLocale(chosen: string): void {
  locale = chosen
}
