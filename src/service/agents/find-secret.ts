/**
 * Finds what looks like a key or a signed token, in time linear in the text: a text comes from anybody, and one
 * expression over all of it would look ahead from each prefix again.
 */

/** The forms of providers' keys and of ours: a prefix, then 16 characters at least with a digit among them. */
const prefix = /\b(?:sk|gsk|xai|pk|mp|ghp|hf)[-_]/
const shortestKey = 16

const googleKey = /AIza[\w-]{30}/

/** @returns the index of the first one; null where there is none */
export function findSecret(text: string): number | null {
  for (const { 0: run, index } of text.matchAll(/[\w-]+/g)) {
    const found = [keyIn(run), googleKey.exec(run)?.index ?? null, tokenIn(run, text, index)]
    const places = found.filter((place) => place !== null)
    if (places.length > 0) return index + Math.min(...places)
  }
  return null
}

/** The first prefix decides: after a later one there is less of the run, and no digit that is not after this one. */
function keyIn(run: string): number | null {
  const found = prefix.exec(run)
  if (!found) return null
  const rest = run.slice(found.index + found[0].length)
  return rest.length >= shortestKey && /\d/.test(rest) ? found.index : null
}

/** Two parts of JSON in base64url, joined by a dot. */
function tokenIn(run: string, text: string, index: number): number | null {
  const place = run.indexOf('eyJ')
  const isToken = place >= 0 && place + 3 < run.length
  return isToken && text.startsWith('.eyJ', index + run.length) ? place : null
}
