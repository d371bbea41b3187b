import { useEffect, useSyncExternalStore } from 'react'
import { useSettings } from '../stores/settings.ts'

const darkQuery = '(prefers-color-scheme: dark)'

function onSystemTheme(changed: () => void): () => void {
  const query = matchMedia(darkQuery)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** The theme that is shown: the setting's, or the system's where the setting follows it. */
export function useTheme(): 'light' | 'dark' {
  const isSystemDark = useSyncExternalStore(onSystemTheme, () => matchMedia(darkQuery).matches)
  const chosen = useSettings((state) => state.settings?.theme ?? 'system')
  if (chosen !== 'system') return chosen
  return isSystemDark ? 'dark' : 'light'
}

/** Puts the theme on the document, where the stylesheet reads it. */
export function useDocumentTheme(): void {
  const theme = useTheme()
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme
  }, [theme])
}
