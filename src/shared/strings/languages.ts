/** The languages of the window, each by its own name. English is the language of the source. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  ja: '日本語',
  zh: '简体中文',
} as const

export type Language = keyof typeof languages

export const languageCodes = Object.keys(languages) as [Language, ...Language[]]

/**
 * The language of the window; English where the system's has no translation.
 * @param systemLanguage  a BCP 47 tag, such as `de-AT`
 */
export function languageOf(chosen: Language | 'system', systemLanguage: string): Language {
  if (chosen !== 'system') return chosen
  const system = new Intl.Locale(systemLanguage).maximize()
  // Traditional characters have no translation, and are not those of the simplified ones.
  if (system.language === 'zh' && system.script !== 'Hans') return 'en'
  return languageCodes.find((code) => code === system.language) ?? 'en'
}
