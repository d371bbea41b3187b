import { setFormatLocale } from '../../../shared/strings/format-locale.ts'
import type { Settings } from '../../../shared/app/settings.ts'
import { useApp } from './app.ts'
import { useSettings } from './settings.ts'

const storageKey = 'format-locale'

/**
 * The locale whose formats to use.
 * @param systemLocale  as the system names it; some systems add extensions, or have names that are not locales
 */
export function formatLocaleOf(chosen: Settings['locale'], systemLocale: string): string {
  if (chosen !== 'system') return chosen
  try {
    // Without extensions: of `en-US-u-va-posix`, numbers would have no separators.
    const { language, script, region } = new Intl.Locale(systemLocale)
    return [language, script, region].filter((part) => part !== undefined).join('-')
  } catch {
    return 'en-US'
  }
}

/** Applies the setting, now and whenever it changes. Before it is loaded, the last locale is used. */
export function followFormatLocale(): void {
  setFormatLocale(localStorage.getItem(storageKey) ?? formatLocaleOf('system', navigator.language))
  const apply = () => {
    const { settings } = useSettings.getState()
    const { state } = useApp.getState()
    if (settings === null || state === null) return
    const locale = formatLocaleOf(settings.locale, state.systemLocale)
    setFormatLocale(locale)
    localStorage.setItem(storageKey, locale)
  }
  useSettings.subscribe(apply)
  useApp.subscribe(apply)
}
