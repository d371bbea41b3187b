/**
 * Chooses the language of the menu, the tray, notifications and the window, which gets its texts with its page.
 * `entry.ts` loads it before the modules with texts.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { languageCodes, languageOf, type Language } from '../shared/strings/languages.ts'
import { setTranslation, type Translation } from '../shared/strings/strings.ts'
import { chooseDataDir } from './paths.ts'

/** One file of the build for each language, so that only the chosen one is read. */
const files = import.meta.glob<Translation['texts']>(
  ['../shared/strings/*.json', '!../shared/strings/en.json'],
  { import: 'default' },
)

export const dataDir = chooseDataDir()
const systemLanguage = Intl.DateTimeFormat().resolvedOptions().locale
/** Of `window.json`, which `window-state.ts` writes. */
const storedSchema = z.object({ language: z.enum(['system', ...languageCodes]) })

setTranslation(await translationFor(storedLanguage()))

/** @param chosen  the setting `language` */
export async function translationFor(chosen: Language | 'system'): Promise<Translation> {
  const language = languageOf(chosen, systemLanguage)
  const texts = await files[`../shared/strings/${language}.json`]?.()
  return { language, texts: texts ?? {} }
}

function storedLanguage(): Language | 'system' {
  try {
    const stored: unknown = JSON.parse(readFileSync(join(dataDir, 'window.json'), 'utf8'))
    return storedSchema.parse(stored).language
  } catch {
    // Missing or damaged, or older than the setting.
    return 'system'
  }
}
