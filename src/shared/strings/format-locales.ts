/** Locales whose format of numbers, money and dates can be chosen. Texts follow the language. */
export const formatLocales = [
  'en-US',
  'en-GB',
  'de-DE',
  'de-CH',
  'es-ES',
  'fr-FR',
  'it-IT',
  'ja-JP',
  'ko-KR',
  'nl-NL',
  'pl-PL',
  'pt-BR',
  'sv-SE',
  'zh-CN',
] as const
