/** Takes the window's texts from its page, where the main process puts them. Must be loaded before modules with texts. */
import { setTranslation, type Translation } from '../../shared/strings/strings.ts'

const place = document.getElementById('translation')
const { lang } = document.documentElement
// The main process checks the texts where they are built: test/rules/translations.test.ts.
const texts = JSON.parse(place?.textContent ?? '{}') as Translation['texts']
setTranslation({ language: lang, texts })
