import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { allowOrigin, forbidOrigin } from '../../stores/origins.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface WebOriginsProps {
  allowed: readonly string[]
  refused: readonly string[]
}

/** The web origins that may call the endpoint, and the ones that were refused. */
export function WebOrigins({ allowed, refused }: WebOriginsProps) {
  const left = refused.filter((origin) => !allowed.includes(origin))
  return (
    <>
      <p className="text-sm text-muted">
        {t(
          'Web pages can call Modelport only from these origins. Origins that were refused although they sent a key are listed below.',
        )}
      </p>
      <Origins title={t('Allowed')} origins={allowed} action={t('Remove')} act={forbidOrigin} />
      <Origins
        title={t('Refused since startup')}
        origins={left}
        action={t('Allow')}
        act={allowOrigin}
      />
      {allowed.length + left.length === 0 && (
        <p className="text-sm">{t('No origins allowed or refused.')}</p>
      )}
    </>
  )
}

interface OriginsProps {
  title: string
  origins: readonly string[]
  action: string
  act: (origin: string) => Promise<void>
}

function Origins({ title, origins, action, act }: OriginsProps) {
  const { run, isRunning, error } = useAction(act)
  if (origins.length === 0) return null
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-sm font-medium">{title}</h3>
      <ul aria-label={title} className="flex flex-col gap-1">
        {origins.map((origin) => (
          <li key={origin} className="flex items-center gap-3">
            <code className="min-w-0 flex-1 truncate font-mono text-xs" title={origin}>
              {origin}
            </code>
            <Button
              size="small"
              aria-label={`${action} ${origin}`}
              disabled={isRunning}
              onClick={() => run(origin)}
            >
              {action}
            </Button>
          </li>
        ))}
      </ul>
      {error && <ErrorNote error={error} />}
    </div>
  )
}
