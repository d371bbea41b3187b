/**
 * Finds text in the form of a key or a signed token. The time is linear in the text, because definitions can be
 * hostile: a single regular expression would scan ahead from each prefix again.
 */

/** The form of providers' and Modelport's keys: a prefix, then at least 16 characters with a digit. */
const prefix = /\b(?:sk|gsk|xai|pk|mp|ghp|hf)[-_]/
const shortestKey = 16

const googleKey = /AIza[\w-]{30}/

/** @returns the index of the first match; null without one */
export function findSecret(text: string): number | null {
  for (const { 0: run, index } of text.matchAll(/[\w-]+/g)) {
    const found = [keyIn(run), googleKey.exec(run)?.index ?? null, tokenIn(run, text, index)]
    const places = found.filter((place) => place !== null)
    if (places.length > 0) return index + Math.min(...places)
  }
  return null
}

/** The first prefix decides: the text after a later prefix is shorter and has no other digits. */
function keyIn(run: string): number | null {
  const found = prefix.exec(run)
  if (!found) return null
  const rest = run.slice(found.index + found[0].length)
  return rest.length >= shortestKey && /\d/.test(rest) ? found.index : null
}

/** Two JSON parts in base64url, joined by a dot. */
function tokenIn(run: string, text: string, index: number): number | null {
  const place = run.indexOf('eyJ')
  const isToken = place >= 0 && place + 3 < run.length
  return isToken && text.startsWith('.eyJ', index + run.length) ? place : null
}
