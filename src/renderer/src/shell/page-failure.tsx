import { Link, type ErrorComponentProps } from '@tanstack/react-router'
import { Button, buttonClass } from '../components/button.tsx'
import { ErrorNote } from '../components/error-note.tsx'
import { Page } from '../components/page.tsx'
import { toCallError } from '../stores/client.ts'

/** A page whose drawing failed: the rail around it still works. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  return (
    <Page title="This page could not be shown" intro="The service is not affected.">
      <ErrorNote error={toCallError(error)}>
        <Button size="small" onClick={reset}>
          Try again
        </Button>
      </ErrorNote>
    </Page>
  )
}

export function NotFound() {
  return (
    <Page title="There is no such page">
      <Link to="/chat" className={`${buttonClass('plain')} self-start`}>
        Go to Chat
      </Link>
    </Page>
  )
}
