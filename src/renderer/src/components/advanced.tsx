import type { ReactNode } from 'react'
import { create } from 'zustand'
import { t } from '../../../shared/strings/strings.ts'
import { rich } from './rich.tsx'

const storageKey = 'advanced-open'

/** One switch for the whole app: whoever opens advanced settings once finds them open everywhere. */
const useAdvanced = create(() => ({ isOpen: localStorage.getItem(storageKey) === 'true' }))

interface AdvancedProps {
  /** How many of these settings differ from their default. */
  count: number
  /** Keeps it open, so that the error is visible. */
  hasError: boolean
  children: ReactNode
}

/** The settings of a form that few people need. Once opened it stays open, also after a restart. */
export function Advanced({ count, hasError, children }: AdvancedProps) {
  const isOpen = useAdvanced((state) => state.isOpen)
  return (
    <details
      className="border-t border-line pt-4"
      open={isOpen || hasError}
      onToggle={({ currentTarget: { open } }) => {
        useAdvanced.setState({ isOpen: open })
        localStorage.setItem(storageKey, String(open))
      }}
    >
      <summary className="text-sm font-medium">
        <span>{t('Advanced')}</span>
        {count > 0 && (
          <span className="ml-2 text-xs font-normal text-muted tabular-nums">
            {rich('{count} set', { count })}
          </span>
        )}
      </summary>
      <div className="mt-5 flex flex-col gap-6">{children}</div>
    </details>
  )
}
