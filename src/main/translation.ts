/** Chooses the language of the menu, the tray and notifications. Must be loaded before modules with texts. */
import { chooseTranslation } from '../shared/strings/choose-translation.ts'
import { setTranslation } from '../shared/strings/strings.ts'

const files = import.meta.glob<Record<string, string>>(
  ['../shared/strings/*.json', '!../shared/strings/en.json'],
  { eager: true, import: 'default' },
)
setTranslation(chooseTranslation(files, Intl.DateTimeFormat().resolvedOptions().locale))
