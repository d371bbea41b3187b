import { useLocation, useNavigate } from '@tanstack/react-router'
import { BellRing, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, IconButton } from '../components/button.tsx'
import { dismissAlarm, useAlarms } from '../stores/alarms.ts'
import { dismissToast, dismissToasts, useToasts, type Toast } from '../stores/toasts.ts'
import { RefusedOrigins } from './refused-origins.tsx'
import { UndoNotice } from './undo-notice.tsx'
import { t } from '../../../shared/strings/strings.ts'
import { rich } from '../components/rich.tsx'

/**
 * Alarms and toasts, at the lower right, above the message field and below dialogs. A toast goes when its page is left.
 * An alarm stays until it is dismissed, and is hidden on the pages that show the same.
 */
export function Notices() {
  const alarms = useAlarms((state) => state.alarms)
  const toasts = useToasts((state) => state.toasts)
  const page = useLocation({ select: ({ pathname }) => pathname })
  const address = useLocation({ select: ({ href }) => href })
  const elsewhere = alarms.filter(
    ({ providerId }) =>
      providerId === null || !pagesOfProviders.some((path) => address.startsWith(path)),
  )
  useEffect(() => dismissToasts, [page])
  return (
    <div className="pointer-events-none absolute right-4 bottom-[calc(1rem+var(--composer-height,0px))] z-5 flex max-h-[60%] w-88 max-w-[calc(100%-2rem)] flex-col justify-end gap-2">
      <section aria-label={t('Alarms')} aria-live="assertive" className="flex flex-col gap-2">
        {elsewhere.map((alarm) => (
          <AlarmCard key={alarm.message} alarm={alarm} />
        ))}
        {!page.startsWith('/settings') && <RefusedOrigins />}
      </section>
      <section aria-label={t('Notices')} aria-live="polite" className="flex flex-col gap-2">
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
        <UndoNotice />
      </section>
    </div>
  )
}

/** Pages that show what is wrong with a provider. */
const pagesOfProviders = ['/models?view=providers', '/home']

function AlarmCard({ alarm }: { alarm: Parameters<typeof dismissAlarm>[0] }) {
  const navigate = useNavigate()
  return (
    <div className="pointer-events-auto flex items-start gap-3 rounded-lg border border-warn/50 bg-raised p-3 text-sm shadow-xl">
      <BellRing size={16} aria-hidden className="mt-0.5 shrink-0 text-warn" />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-2">
        <p className="wrap-anywhere">{alarm.message}</p>
        {alarm.providerId !== null && (
          <Button
            size="small"
            onClick={() => {
              dismissAlarm(alarm)
              void navigate({ to: '/models', search: { view: 'providers' } })
            }}
          >
            {rich('Go to {providerId}', { providerId: alarm.providerId })}
          </Button>
        )}
      </div>
      <IconButton label={t('Dismiss')} onClick={() => dismissAlarm(alarm)}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  )
}

/** Stays longer while the pointer or the focus is on it. */
function ToastCard({ toast: { id, text, action, stayMs } }: { toast: Toast }) {
  const [isHeld, setIsHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismissToast(id), stayMs)
    return () => clearTimeout(timer)
  }, [id, stayMs, isHeld])
  return (
    <div
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      className="pointer-events-auto flex items-center gap-3 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-3 text-sm shadow-xl"
    >
      <p className="min-w-0 flex-1 wrap-anywhere">{text}</p>
      {action !== null && (
        <Button
          size="small"
          onClick={() => {
            dismissToast(id)
            action.run()
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton label={t('Dismiss')} onClick={() => dismissToast(id)}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  )
}
