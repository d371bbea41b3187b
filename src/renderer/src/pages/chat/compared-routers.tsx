import { Split, X } from 'lucide-react'
import type { Router } from '../../../../shared/entities.ts'
import { Button } from '../../components/button.tsx'
import { stopComparing, toggleComparedRouter } from '../../stores/router-comparison.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface ComparedRoutersProps {
  conversation: string
  router: Router
  others: readonly Router[]
}

/** The routers that get each message, while several are compared. */
export function ComparedRouters({ conversation, router, others }: ComparedRoutersProps) {
  if (others.length === 0) return null
  return (
    <div
      role="group"
      aria-label={t('Compared routers')}
      className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-sunken px-4 py-1.5 text-xs text-muted min-[80rem]:px-5"
    >
      <span>{t('Each message goes to')}</span>
      <span className="flex h-6 items-center gap-1.5 rounded-md border border-line bg-surface px-2 font-medium text-ink">
        <Split size={12} aria-hidden className="text-muted" />
        {router.name}
      </span>
      {others.map(({ id, name }) => (
        <span
          key={id}
          className="flex h-6 items-center gap-1.5 rounded-md border border-line bg-surface pl-2 font-medium text-ink"
        >
          <Split size={12} aria-hidden className="text-muted" />
          {name}
          <button
            type="button"
            aria-label={t('Stop comparing with {name}', { name })}
            title={t('Stop comparing with {name}', { name })}
            className="flex size-6 items-center justify-center rounded-r-md text-muted hover:bg-hover hover:text-ink"
            onClick={() => toggleComparedRouter(conversation, id, others)}
          >
            <X size={12} aria-hidden />
          </button>
        </span>
      ))}
      <Button
        look="quiet"
        size="small"
        className="ml-auto text-muted"
        onClick={() => stopComparing(conversation)}
      >
        {t('Stop comparing')}
      </Button>
    </div>
  )
}
