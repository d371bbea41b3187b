import { ShieldCheck } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Note } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { retrySecrets, useApp } from '../../stores/app.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** Shows where provider keys are stored, and a warning when that does not work. */
export function SecretsBanner() {
  const secrets = useApp((state) => state.state?.secrets)
  const { run, isRunning, error } = useAction(retrySecrets)
  if (!secrets) return null
  if (secrets.state === 'ready' && secrets.backend !== 'session') {
    return (
      <p className="flex items-center gap-2 text-sm text-muted">
        <ShieldCheck size={16} aria-hidden className="shrink-0 text-ok" />
        {secrets.message}
      </p>
    )
  }
  return (
    <Note kind="warn">
      <span className="min-w-0 flex-1">
        {secrets.message} {error?.message}
      </span>
      <Button size="small" disabled={isRunning} onClick={() => run()}>
        {isRunning ? t('Trying again…') : t('Try again')}
      </Button>
    </Note>
  )
}
