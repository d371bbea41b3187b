/** Kinds of characters, by which a prompt is cut into words and described. Up to `wide` they are letters. */
const lower = 0
export const upper = 1
export const wide = 2
export const digit = 3
export const space = 4
export const newline = 5
export const operator = 6
export const bracket = 7
export const code = 8
export const backslash = 9
export const dollar = 10
export const questionMark = 11
export const sentenceEnd = 12
export const comma = 13
export const quote = 14
const colon = 15
const otherKind = 16
export const kindCount = 17

const kindOfAscii = kindsOf([
  [upper, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  [lower, 'abcdefghijklmnopqrstuvwxyz'],
  [digit, '0123456789'],
  [space, ' \t\r'],
  [newline, '\n'],
  [operator, '+-*/=<>^%|~'],
  [bracket, '()[]'],
  [code, '{};`#_@&'],
  [backslash, '\\'],
  [dollar, '$'],
  [questionMark, '?'],
  [sentenceEnd, '.!'],
  [comma, ','],
  [quote, '"\''],
  [colon, ':'],
])

export function kindOf(char: number): number {
  return char < 128 ? (kindOfAscii[char] ?? otherKind) : kindOfWide(char)
}

/** Non-ASCII spaces and punctuation separate words as the ASCII ones do. */
function kindOfWide(char: number): number {
  if (char === 0xa0 || char === 0x3000) return space
  if (char >= 0x2000 && char < 0x2070) return quote
  if (char >= 0x2190 && char < 0x2300) return operator
  return wide
}

function kindsOf(kinds: readonly (readonly [number, string])[]): Uint8Array {
  const table = new Uint8Array(128).fill(otherKind)
  for (const [kind, chars] of kinds) {
    for (const char of chars) table[char.charCodeAt(0)] = kind
  }
  return table
}
