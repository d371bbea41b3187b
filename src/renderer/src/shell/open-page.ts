import type { windowRouter } from '../pages.tsx'
import { showToast } from '../stores/toasts.ts'
import { t } from '../../../shared/strings/strings.ts'

/** Opens the page of a path, such as `/activity?range=7d`; stays where it is when there is none. */
export function openPage(
  { getMatchedRoutes, history }: Pick<typeof windowRouter, 'getMatchedRoutes' | 'history'>,
  path: string,
): void {
  const [pathname = ''] = path.split('?')
  const [, , page] = getMatchedRoutes(pathname)
  if (page) history.push(path)
  else showToast({ text: t('Modelport has no page for the link {pathname}.', { pathname }) })
}
