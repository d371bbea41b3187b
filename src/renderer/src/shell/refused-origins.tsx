import { Globe, X } from 'lucide-react'
import { Button, IconButton } from '../components/button.tsx'
import { useAction } from '../components/use-action.ts'
import { useApp } from '../stores/app.ts'
import { allowOrigin, dismissOrigin, useDismissedOrigins } from '../stores/origins.ts'
import { useSettings } from '../stores/settings.ts'
import { t } from '../../../shared/strings/strings.ts'
import { rich } from '../components/rich.tsx'

const none: readonly string[] = []

/**
 * Offers to allow a web origin that was refused although it sent a key. It shows one
 * origin at a time, oldest first, so that a button never changes under the pointer. The
 * Settings page lists all of them.
 */
export function RefusedOrigins() {
  const refused = useApp(({ state }) => state?.refusedOrigins ?? none)
  const allowed = useSettings(({ settings }) => settings?.allowedOrigins ?? none)
  const dismissed = useDismissedOrigins(({ origins }) => origins)
  const origin = refused.findLast((each) => !dismissed.includes(each) && !allowed.includes(each))
  return origin === undefined ? null : <RefusedOrigin key={origin} origin={origin} />
}

function RefusedOrigin({ origin }: { origin: string }) {
  const { run, isRunning, error } = useAction(allowOrigin)
  return (
    <div className="pointer-events-auto flex items-start gap-3 rounded-lg border border-warn/50 bg-raised p-3 text-sm shadow-xl">
      <Globe size={16} aria-hidden className="mt-0.5 shrink-0 text-warn" />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-2">
        <p className="w-full wrap-anywhere">
          {rich('Origin {origin} was refused. Allow it only if you use this page or tool.', {
            origin: <span className="font-mono text-xs">{origin}</span>,
          })}
        </p>
        {error && <p className="text-xs text-bad">{error.message}</p>}
        <Button size="small" disabled={isRunning} onClick={() => run(origin)}>
          {t('Allow this origin')}
        </Button>
      </div>
      <IconButton label={t('Dismiss {origin}', { origin })} onClick={() => dismissOrigin(origin)}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  )
}
