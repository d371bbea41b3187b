import { useNavigate } from '@tanstack/react-router'
import { BellRing, X } from 'lucide-react'
import { Button, IconButton } from '../components/button.tsx'
import { dismissAlarm, useAlarms } from '../stores/alarms.ts'
import { RefusedOrigins } from './refused-origins.tsx'

/** Alarms that need an action. Each stays until it is dismissed. */
export function Alarms() {
  const alarms = useAlarms((state) => state.alarms)
  const navigate = useNavigate()
  return (
    <section
      aria-label="Alarms"
      aria-live="assertive"
      className="pointer-events-none fixed bottom-24 left-4 z-30 flex w-96 flex-col gap-2"
    >
      {alarms.map((alarm) => (
        <div
          key={alarm.message}
          className="pointer-events-auto flex items-start gap-3 rounded-lg border border-warn/50 bg-raised p-3 text-sm shadow-xl"
        >
          <BellRing size={16} aria-hidden className="mt-0.5 shrink-0 text-warn" />
          <div className="flex min-w-0 flex-1 flex-col items-start gap-2">
            <p>{alarm.message}</p>
            {alarm.providerId !== null && (
              <Button
                size="small"
                onClick={() => {
                  dismissAlarm(alarm)
                  void navigate({ to: '/providers' })
                }}
              >
                Go to {alarm.providerId}
              </Button>
            )}
          </div>
          <IconButton label="Dismiss" onClick={() => dismissAlarm(alarm)}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
      <RefusedOrigins />
    </section>
  )
}
