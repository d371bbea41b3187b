/** Reads numbers as people and models write them: "1,234.50", "1.234,5", "1.2 × 10^3", "3/4", "2.5 million". */

/** A number within a text. */
export interface FoundNumber {
  value: number
  /** Other possible values: "1.080" is also 1080, and "2.5 million" also 2.5 where a question asks for millions. */
  alternatives: readonly number[]
}

const separators = String.raw`.,'’\u00a0\u202f\u2009`
const digits = String.raw`\d{1,3}(?: \d{3})+(?![\d${separators}]*\d)|\d(?:[\d${separators}]*\d)?|\.\d+`
const exponent = String.raw`(?:[eE][-+]?\d{1,3}(?![\p{L}\d])|\s?[×x*·]\s?10\s?\^\s?\{?[-+−]?\d{1,3}\}?)`
const scales: Readonly<Record<string, number>> = {
  thousand: 1e3,
  million: 1e6,
  millionen: 1e6,
  millions: 1e6,
  billion: 1e9,
  billions: 1e9,
  milliarde: 1e9,
  milliarden: 1e9,
  milliards: 1e9,
  trillion: 1e12,
}

/**
 * Matches numbers, but not within a word, a subscript or an exponent: neither the 2 of "H2O" nor that of "m^2" is a
 * result. Han characters may touch the number.
 */
const numberPattern = new RegExp(
  [
    String.raw`(?<![\p{Script=Latin}\p{Script=Greek}\p{N}_^]|[\^_]\{|\d[${separators}])`,
    String.raw`(?<whole>\d{1,6} (?=\d{1,4}\s?\/\s?\d))?(?<numerator>${digits})`,
    String.raw`(?:(?<exponent>${exponent})|\^\{?(?<caret>-?\d{1,3})\}?)?`,
    String.raw`(?:\s?\/\s?(?<denominator>\d{1,12})(?![\d${separators}]*[\d/]))?`,
    String.raw`(?:\s(?<scale>${Object.keys(scales).join('|')})(?![\p{L}]))?`,
  ].join(''),
  'giu',
)

/** English number words, for answers without any digit. */
const words =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  )
const wordPattern = new RegExp(`(?<![\\p{L}-])(?:${words.join('|')})(?![\\p{L}-])`, 'giu')

/** All numbers of a text, in order. LaTeX should be removed first: {@link withoutLatex}. */
export function readNumbers(text: string): FoundNumber[] {
  const found = [...text.matchAll(numberPattern)].flatMap((match) => readMatch(match, text))
  if (found.length > 0 || /\d/.test(text)) return found
  return [...text.matchAll(wordPattern)].map(([word]) => {
    const value = words.indexOf(word.toLowerCase())
    return { value, alternatives: [] }
  })
}

/** Rewrites the LaTeX that models use in results: fractions, spacing, text and multiplication. */
export function withoutLatex(text: string): string {
  return text
    .replace(/\\[dt]?frac\s?\{([^{}]{1,40})\}\s?\{([^{}]{1,40})\}/g, '$1/$2')
    .replace(/\\(?:text|mathrm|mathbf|textbf)\s?\{([^{}]{0,200})\}/g, ' $1')
    .replace(/\{,\}/g, ',')
    .replace(/\\[,;:! ]/g, '')
    .replace(/\\(?:times|cdot)/g, '×')
    .replace(/\\approx/g, '≈')
    .replace(/\\(?:left|right)/g, '')
    .replace(/\\[%$#&()[\]]/g, (escaped) => (escaped === '\\%' ? '%' : ' '))
    .replace(/10([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g, (_, power: string) => `10^${fromSuperscript(power)}`)
}

function fromSuperscript(power: string): string {
  return power.normalize('NFKC').replace('−', '-')
}

function readMatch(match: RegExpExecArray, text: string): FoundNumber[] {
  const { whole, numerator = '', exponent: power, caret, denominator, scale } = match.groups ?? {}
  const values = readDigits(numerator)
  const [first] = values
  if (first === undefined) return []
  const sign = signBefore(text, match.index)
  if (values.length > 1) return values.map((value) => ({ value: sign * value, alternatives: [] }))
  const factor = scales[scale?.toLowerCase() ?? ''] ?? 1
  const unscaled = (digitsValue: number): number => {
    const plain = digitsValue ** Number(caret ?? 1) * powerOf(power)
    return (
      sign * (denominator === undefined ? plain : Number(whole ?? 0) + plain / Number(denominator))
    )
  }
  const other = otherReading(numerator)
  const alternatives = [
    ...(factor === 1 ? [] : [unscaled(first)]),
    ...(other === null ? [] : [unscaled(other) * factor]),
  ]
  return [{ value: unscaled(first) * factor, alternatives }]
}

/** "1.234" and "1,234" are 1.234 in one language and 1234 in another. */
function otherReading(digitsText: string): number | null {
  const [, head, separator, tail] = /^([1-9]\d{0,2})([.,])(\d{3})$/.exec(digitsText) ?? []
  if (head === undefined || tail === undefined) return null
  return Number(separator === '.' ? head + tail : `${head}.${tail}`)
}

function powerOf(text: string | undefined): number {
  const power = /[-+−]?\d+\}?$/.exec(text ?? '')?.[0]
  return power === undefined ? 1 : 10 ** Number(power.replace('−', '-').replace('}', ''))
}

/** Sign before a number. A minus is one unless it follows an operand, as in "7-3". */
function signBefore(text: string, index: number): 1 | -1 {
  const before = text.slice(Math.max(0, index - 3), index).replace(/[$€£]/g, '')
  return /(?:^|[^\p{L}\p{N})\]])[-−–]$/u.test(before) ? -1 : 1
}

/**
 * Digits with separators. A comma before exactly three digits separates thousands, as in English; any other single
 * comma is a decimal comma. Several values when the text is a list such as "1,2,3"; none for "1.2.3".
 */
function readDigits(text: string): number[] {
  const plain = text.replace(/['’\u00a0\u202f\u2009 ]/g, '')
  const hasBoth = plain.includes('.') && plain.includes(',')
  if (hasBoth) return [readMixed(plain)].filter((value) => !Number.isNaN(value))
  if (/^[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}$/.test(plain)) return [Number(plain.replaceAll(',', ''))]
  if (/^[1-9]\d{0,2}(?:\.\d{3}){2,}$/.test(plain)) return [Number(plain.replaceAll('.', ''))]
  const parts = plain.split(',')
  if (parts.length > 2) return parts.map(Number)
  const value = Number(parts.join('.'))
  return Number.isNaN(value) ? [] : [value]
}

/** Dots and commas: the last one is the decimal separator. */
function readMixed(text: string): number {
  const decimal = text.lastIndexOf('.') > text.lastIndexOf(',') ? '.' : ','
  const thousands = decimal === '.' ? ',' : '.'
  return Number(text.replaceAll(thousands, '').replace(decimal, '.'))
}
