import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import { useSettings } from '../stores/settings.ts'

const darkQuery = '(prefers-color-scheme: dark)'

function onSystemTheme(changed: () => void): () => void {
  const query = matchMedia(darkQuery)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** The theme in effect: from the setting, or from the system. */
export function useTheme(): 'light' | 'dark' {
  const isSystemDark = useSyncExternalStore(onSystemTheme, () => matchMedia(darkQuery).matches)
  const chosen = useSettings((state) => state.settings?.theme ?? 'system')
  if (chosen !== 'system') return chosen
  return isSystemDark ? 'dark' : 'light'
}

const densityKey = 'density'

function useDensity(): string {
  // Until the settings are loaded, the last density keeps the page from jumping.
  return useSettings(
    (state) => state.settings?.density ?? localStorage.getItem(densityKey) ?? 'comfortable',
  )
}

/** The height of a row in pixels, for lists that place their rows themselves. */
export function useRowHeight(heights: { comfortable: number; compact: number }): number {
  return useDensity() === 'compact' ? heights.compact : heights.comfortable
}

/** Sets the theme and the density on the document for the stylesheet. */
export function useDocumentLook(): void {
  const theme = useTheme()
  const density = useDensity()
  useEffect(() => {
    document.documentElement.dataset['density'] = density
    localStorage.setItem(densityKey, density)
  }, [density])
  // Before all other effects, so that charts that read colours for a canvas read those of the new theme.
  useLayoutEffect(() => {
    document.documentElement.dataset['theme'] = theme
  }, [theme])
}
