import type { Translation } from './strings.ts'

/**
 * The translation for a system's language; English without one.
 * @param files  texts by file, as `import.meta.glob` gives them: `…/de.json`, `…/pt-BR.json`
 * @param systemLanguage  a BCP 47 tag
 */
export function chooseTranslation(
  files: Readonly<Record<string, Translation['texts']>>,
  systemLanguage: string,
): Translation {
  const byLanguage = new Map(
    Object.entries(files).map(([file, texts]) => [/([\w-]+)\.json$/.exec(file)?.[1], texts]),
  )
  for (const language of [systemLanguage, systemLanguage.split('-')[0] ?? '']) {
    const texts = byLanguage.get(language)
    if (texts) return { language, texts }
  }
  return { language: 'en', texts: {} }
}
