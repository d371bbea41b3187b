import { useEffect, useState } from 'react'
import type { EndpointState } from '../../../shared/app/app-state.ts'
import { useApp } from '../stores/app.ts'
import { tooltipOf } from './commands.ts'
import { t } from '../../../shared/strings/strings.ts'

const looks = {
  starting: { dot: 'bg-warn', text: t('Starting…') },
  listening: { dot: 'bg-ok', text: '' },
  failed: { dot: 'bg-bad', text: t('Not running') },
  paused: { dot: 'bg-muted', text: t('Paused') },
} as const

const copiedMs = 1600

/** The status and address of the endpoint. A click copies the address. */
export function EndpointPill() {
  const endpoint: EndpointState = useApp((state) => state.state?.endpoint) ?? { status: 'starting' }
  const isPaused = useApp((state) => state.state?.isPaused) ?? false
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), copiedMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const url = endpoint.status === 'listening' ? endpoint.url : null
  const look = isPaused ? looks.paused : looks[endpoint.status]
  const text = url ?? look.text
  const shown = isPaused ? look.text : text.replace('https://', '')

  return (
    <button
      type="button"
      disabled={!url}
      onClick={() => url && void navigator.clipboard.writeText(url).then(() => setIsCopied(true))}
      aria-label={
        url ? t('Copy endpoint address {url}', { url }) : t('Endpoint: {state}', { state: text })
      }
      title={url ? tooltipOf('copy-base-url') : text}
      className="rail-item text-xs hover:not-disabled:bg-hover"
    >
      <span className="flex size-4 shrink-0 items-center justify-center">
        <span className={`size-2 rounded-full forced-color-adjust-none ${look.dot}`} />
      </span>
      <span role="status" className="rail-text truncate font-mono">
        {isCopied ? t('Copied') : shown}
      </span>
    </button>
  )
}
