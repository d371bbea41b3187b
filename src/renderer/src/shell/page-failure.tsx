import { Link, type ErrorComponentProps } from '@tanstack/react-router'
import { buttonClass } from '../components/button.tsx'
import { ErrorNote } from '../components/error-note.tsx'
import { Page } from '../components/page.tsx'
import { toCallError } from '../stores/client.ts'
import { t } from '../../../shared/strings/strings.ts'

/** Replaces a page that failed to render. The navigation still works. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  return (
    <Page title={t('This page failed to load')} intro={t('The service is not affected.')}>
      <ErrorNote error={toCallError(error)} onRetry={reset} />
    </Page>
  )
}

export function NotFound() {
  return (
    <Page title={t('Page not found')} intro={t('Modelport has no page at this address.')}>
      <Link to="/home" className={`${buttonClass('plain')} self-start`}>
        {t('Go to Home')}
      </Link>
    </Page>
  )
}
