import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { IconButton } from '../components/button.tsx'
import { findMatches, markMatches, unmarkMatches } from './find-matches.ts'
import { useEscape } from '../pages/activity/use-escape.ts'
import { closeOverlay } from './shell-state.ts'
import { t } from '../../../shared/strings/strings.ts'

/** Finds text on the open page. Enter goes to the next match, Shift + Enter to the previous one, Escape closes. */
export function FindBar() {
  const [matches, setMatches] = useState<readonly Range[]>([])
  const [current, setCurrent] = useState(0)
  const [text, setText] = useState('')
  useEffect(() => markMatches(matches, current), [matches, current])
  useEffect(() => unmarkMatches, [])
  const bar = useRef<HTMLElement>(null)
  useEscape(bar, closeOverlay)
  useGiveFocusBack()

  function search(wanted: string): void {
    const page = document.querySelector('main')
    setText(wanted)
    setMatches(page === null ? [] : findMatches(page, wanted))
    setCurrent(0)
  }

  function move(by: number): void {
    if (matches.length > 0) setCurrent((current + by + matches.length) % matches.length)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) move(event.shiftKey ? -1 : 1)
  }

  return (
    <search
      ref={bar}
      aria-label={t('Find on this page')}
      className="absolute top-2 right-4 z-5 flex items-center gap-1 rounded-lg border border-line bg-raised p-1.5 shadow-lg"
    >
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user opened the field to type
        autoFocus
        aria-label={t('Find')}
        value={text}
        onChange={({ target }) => search(target.value)}
        onKeyDown={onKeyDown}
        className="h-7 w-48 rounded-md border border-edge bg-surface px-2 text-sm"
      />
      <span role="status" className="min-w-16 px-1 text-center text-xs text-muted tabular-nums">
        {text === '' ? '' : matchesText(matches.length, current)}
      </span>
      <IconButton
        label={t('Previous match')}
        disabled={matches.length === 0}
        onClick={() => move(-1)}
      >
        <ChevronUp size={14} aria-hidden />
      </IconButton>
      <IconButton label={t('Next match')} disabled={matches.length === 0} onClick={() => move(1)}>
        <ChevronDown size={14} aria-hidden />
      </IconButton>
      <IconButton label={t('Close')} onClick={closeOverlay}>
        <X size={14} aria-hidden />
      </IconButton>
    </search>
  )
}

/** Gives the focus back to the element that had it, without scrolling away from the match. */
function useGiveFocusBack(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      const isLost = document.activeElement === document.body
      if (isLost && before instanceof HTMLElement) before.focus({ preventScroll: true })
    },
    [before],
  )
}

function matchesText(count: number, current: number): string {
  return count === 0 ? t('No match') : t('{place} of {count}', { place: current + 1, count })
}
