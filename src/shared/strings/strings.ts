/**
 * The words of the window, the menu, the tray and notifications. A message is its English text, in the ICU form: a whole
 * sentence or label, because other languages order its parts differently. `{name}` stands for a value,
 * `{count, plural, one {# row} other {# rows}}` for a count. `en.json` lists all messages (`npm run strings`); a translation
 * is a copy of it in another language.
 */
import { IntlMessageFormat, type Formatters } from 'intl-messageformat'
import { formatLocale } from './format-locale.ts'

export interface Translation {
  /** A BCP 47 tag, such as `de`. */
  language: string
  /** Texts by English message. What it lacks stays English. */
  texts: Readonly<Record<string, string>>
}

type Value = string | number | null | undefined

let translation: Translation = { language: 'en', texts: {} }
/** Parsing takes longer than formatting, and the window formats the same messages again and again. */
const parsed = new Map<string, IntlMessageFormat>()

/** Must be called before modules load that hold texts in constants. */
export function setTranslation(chosen: Translation): void {
  translation = chosen
  parsed.clear()
}

/** A BCP 47 tag. */
export function language(): string {
  return translation.language
}

/** The text of a message in the chosen language. */
export function t(message: string, values?: Readonly<Record<string, Value>>): string {
  const text = translation.texts[message] ?? message
  return text.includes('{') ? String(parse(text).format(values)) : text
}

/** The text in parts, for values that are not strings, such as elements of the window. */
export function textParts<Part>(
  message: string,
  values: Readonly<Record<string, Part>>,
): readonly (string | Part)[] {
  const parts = parse(translation.texts[message] ?? message).formatToParts<Part>({ ...values })
  return parts.map(({ value }) => value)
}

function parse(text: string): IntlMessageFormat {
  const known = parsed.get(text)
  if (known) return known
  const options = { ignoreTag: true, formatters }
  const message = new IntlMessageFormat(text, translation.language, undefined, options)
  parsed.set(text, message)
  return message
}

/** Counts follow the locale of all other numbers, which need not be the language. */
const formatters: Formatters = {
  getNumberFormat: (_language, options) =>
    once(
      numberFormats,
      [formatLocale(), options] as const,
      (...args) => new Intl.NumberFormat(...args),
    ),
  getPluralRules: (...options) =>
    once(pluralRules, options, (...args) => new Intl.PluralRules(...args)),
  getDateTimeFormat: (...options) => new Intl.DateTimeFormat(...options),
}

/** Creating one takes a hundred times longer than using it. */
const numberFormats = new Map<string, Intl.NumberFormat>()
const pluralRules = new Map<string, Intl.PluralRules>()

function once<Options extends readonly unknown[], Format>(
  created: Map<string, Format>,
  options: Options,
  create: (...options: Options) => Format,
): Format {
  const key = JSON.stringify(options)
  const format = created.get(key) ?? create(...options)
  created.set(key, format)
  return format
}
