import { Button } from '../components/button.tsx'
import { ErrorNote, Note } from '../components/error-note.tsx'
import { useAction } from '../components/use-action.ts'
import { listenOn, setPaused, useApp } from '../stores/app.ts'
import { useSettings } from '../stores/settings.ts'
import { freeMainPort } from '../../../shared/app/app-state.ts'
import { t } from '../../../shared/strings/strings.ts'
import { rich } from '../components/rich.tsx'

/** A banner with solutions, shown when the endpoint is not running. */
export function EndpointBanner() {
  const endpoint = useApp((state) => state.state?.endpoint)
  const isPaused = useApp((state) => state.state?.isPaused)
  const error = useApp((state) => state.error)
  if (error) {
    return (
      <div className="px-4 pt-3">
        <ErrorNote error={error} onRetry={() => void useApp.getState().load()} />
      </div>
    )
  }
  if (isPaused) {
    return (
      <div className="px-4 pt-3">
        <PausedNote />
      </div>
    )
  }
  if (endpoint?.status !== 'failed') return null
  return (
    <div className="px-4 pt-3">
      <EndpointProblem message={endpoint.message} freePort={freeMainPort(endpoint)} />
    </div>
  )
}

function PausedNote() {
  const { run, isRunning, error } = useAction(setPaused)
  return (
    <Note kind="paused">
      <span className="min-w-0 flex-1">
        {rich('Serving is paused. Requests of your programs get an error. {message}', {
          message: error?.message,
        })}
      </span>
      <Button look="primary" size="small" disabled={isRunning} onClick={() => run(false)}>
        {t('Resume serving')}
      </Button>
    </Note>
  )
}

/** The error of the endpoint, with buttons to try another port or the same port again. */
function EndpointProblem({ message, freePort }: { message: string; freePort: number | null }) {
  const port = useSettings((state) => state.settings?.port)
  const { run, isRunning, error } = useAction(listenOn)
  return (
    <Note kind="bad">
      <span className="min-w-0 flex-1">
        {message} {error?.message}
      </span>
      {freePort !== null && (
        <Button look="primary" size="small" disabled={isRunning} onClick={() => run(freePort)}>
          {rich('Use port {freePort}', { freePort })}
        </Button>
      )}
      {port !== undefined && (
        <Button size="small" disabled={isRunning} onClick={() => run(port)}>
          {rich('Try port {port} again', { port })}
        </Button>
      )}
    </Note>
  )
}
