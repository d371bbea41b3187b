/**
 * JSON whose whole numbers above 2^53, such as ids, are written again with the digits that were read. As numbers of
 * JavaScript they would change: 12345678901234567890 would become 12345678901234567000.
 */

/** Newer than the type definitions, and absent before Node 21: such numbers then change. */
interface RawJson {
  rawJSON?: (text: string) => unknown
  isRawJSON?: (value: unknown) => boolean
}
// A checked boundary: both members are looked up before they are called.
const { rawJSON, isRawJSON } = JSON as RawJson

/** 2^53 has 16 digits. */
const fewestDigits = 16

/**
 * Parses JSON; each number that `JSON.parse` would change is an opaque value that `JSON.stringify` writes as it was.
 */
export function parseExact(text: string): unknown {
  if (rawJSON === undefined || !hasLongNumber(text)) return JSON.parse(text)
  return JSON.parse(text, (_name, value: unknown, context?: { source?: string }) => {
    const source = context?.source
    const isChanged = source !== undefined && isWhole(source) && !Number.isSafeInteger(value)
    return isChanged ? rawJSON(source) : value
  })
}

/** The body with its long numbers as they were read. @param body  parsed from the text */
export function withExactNumbers(body: unknown, text: string): unknown {
  return hasLongNumber(text) ? parseExact(text) : body
}

/** Whether `parseExact` read this value as a number that it keeps. */
export function isExactNumber(value: unknown): boolean {
  return isRawJSON?.(value) === true
}

/** Every run of so many digits contains one of the places that are looked at. */
function hasLongNumber(text: string): boolean {
  for (let place = fewestDigits - 1; place < text.length; place += fewestDigits) {
    if (!isDigit(text, place)) continue
    let start = place
    while (isDigit(text, start - 1)) start -= 1
    let end = place + 1
    while (isDigit(text, end)) end += 1
    if (end - start >= fewestDigits) return true
  }
  return false
}

function isDigit(text: string, place: number): boolean {
  const code = text.charCodeAt(place)
  return code >= 0x30 && code <= 0x39
}

function isWhole(source: string): boolean {
  return /^-?\d+$/.test(source)
}
