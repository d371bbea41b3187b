import { useState, type FocusEvent, type KeyboardEvent, type PointerEvent } from 'react'
import { t } from '../../../shared/strings/strings.ts'

interface SourceMarkProps {
  number: number
  title: string
  address: string
}

const edgePx = 8
const widestPx = 320

/**
 * The number of a source in an answer's text. Its title and host show while the pointer or the focus is on it. Pages open as links
 * do: the main process shows the whole address and asks first.
 */
export function SourceMarkLink({ number, title, address }: SourceMarkProps) {
  const [place, setPlace] = useState<DOMRect | null>(null)
  const host = URL.parse(address)?.host ?? address
  const words = title === '' ? host : `${title} · ${host}`
  const label = t('Source {number}: {words}', { number, words })
  const className =
    'rounded border border-line bg-sunken px-1 text-[0.95em] text-muted no-underline tabular-nums select-none hover:bg-hover hover:text-ink'

  function show({ currentTarget }: FocusEvent | PointerEvent): void {
    setPlace(currentTarget.getBoundingClientRect())
  }

  function hide(): void {
    setPlace(null)
  }

  const shown = {
    className,
    onFocus: show,
    onBlur: hide,
    onPointerEnter: show,
    onPointerLeave: hide,
    onKeyDown: ({ key }: KeyboardEvent) => key === 'Escape' && hide(),
  }
  return (
    <sup className="mx-0.5">
      {/^https:/i.test(address) ? (
        <a {...shown} href={address} target="_blank" rel="noreferrer" aria-label={label}>
          {number}
        </a>
      ) : (
        <button
          {...shown}
          type="button"
          aria-label={`${label}. ${t('Copy link to {host}', { host })}`}
          onClick={() => void navigator.clipboard.writeText(address)}
        >
          {number}
        </button>
      )}
      {place && (
        // In the top layer, because the blocks of an answer clip what leaves them.
        <span
          ref={(tip) => {
            if (tip) showAbove(tip, place)
          }}
          popover="manual"
          aria-hidden
          className="pointer-events-none fixed inset-auto m-0 rounded-md border border-line bg-raised px-2 py-1 text-xs wrap-anywhere text-ink shadow-md"
        >
          {words}
        </span>
      )}
    </sup>
  )
}

/** Shows a tip above a place of the window, or below one at its upper edge. */
function showAbove(tip: HTMLElement, place: DOMRect): void {
  const { innerWidth, innerHeight } = globalThis
  tip.style.maxWidth = `${widestPx}px`
  tip.togglePopover(true)
  const { width, height } = tip.getBoundingClientRect()
  const left = Math.max(edgePx, Math.min(place.left, innerWidth - width - edgePx))
  tip.style.left = `${left}px`
  const isBelow = place.top < height + edgePx
  tip.style.top = isBelow ? `${place.bottom}px` : 'auto'
  tip.style.bottom = isBelow ? 'auto' : `${innerHeight - place.top}px`
}
