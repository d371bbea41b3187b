/** Chooses the window's language. Must be loaded before modules that hold texts in constants. */
import { chooseTranslation } from '../../shared/strings/choose-translation.ts'
import { setTranslation } from '../../shared/strings/strings.ts'

const files = import.meta.glob<Record<string, string>>(
  ['../../shared/strings/*.json', '!../../shared/strings/en.json'],
  { eager: true, import: 'default' },
)
const translation = chooseTranslation(files, navigator.language)
setTranslation(translation)
document.documentElement.lang = translation.language
