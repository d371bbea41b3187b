import { GripVertical } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { moved, placeAt } from './sorting.ts'
import { t } from '../../../shared/strings/strings.ts'

interface SortableListProps {
  /** The accessible name. */
  label: string
  ids: readonly string[]
  /** Null: the order does not matter, and cannot be changed. */
  onChange: ((ids: readonly string[]) => void) | null
  children: (id: string, index: number) => ReactNode
}

/** A list whose entries are dragged by their handle, or moved with its arrow keys, where their order matters. */
export function SortableList({ label, ids, onChange, children }: SortableListProps) {
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<{ id: string; before: readonly string[] } | null>(null)
  const move = (id: string, to: number) => {
    const next = moved(ids, id, to)
    if (next !== ids) onChange?.(next)
  }
  useDrag(drag !== null, {
    onMove(clientY) {
      if (!drag || !list.current) return
      const others = [...list.current.children].filter((_, index) => ids[index] !== drag.id)
      move(
        drag.id,
        placeAt(
          clientY,
          others.map((item) => item.getBoundingClientRect()),
        ),
      )
    },
    onEnd(isCancelled) {
      if (isCancelled && drag) onChange?.(drag.before)
      setDrag(null)
    },
  })

  function onKeyDown(event: KeyboardEvent, id: string): void {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (step === 0) return
    event.preventDefault()
    const handle = event.currentTarget
    move(id, ids.indexOf(id) + step)
    // Moving its entry takes the focus away from the handle.
    requestAnimationFrame(() => handle instanceof HTMLElement && handle.focus())
  }
  return (
    <ol ref={list} aria-label={label} className="flex flex-col gap-1.5">
      {ids.map((id, index) => (
        <li
          key={id}
          className={`flex items-center gap-2 rounded-lg border bg-surface py-1 pr-1 text-sm ${onChange ? 'pl-1' : 'pl-3'} ${drag?.id === id ? 'border-accent shadow-lg' : 'border-line'}`}
        >
          {onChange && (
            <button
              type="button"
              aria-label={t('Move {id}, {place} of {count}: drag, or press the arrow keys', {
                id,
                place: index + 1,
                count: ids.length,
              })}
              title={t('Drag, or press the arrow keys')}
              className="flex h-7 w-6 shrink-0 cursor-grab touch-none items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink active:cursor-grabbing"
              onKeyDown={(event) => onKeyDown(event, id)}
              onPointerDown={() => setDrag({ id, before: ids })}
            >
              <GripVertical size={14} aria-hidden />
            </button>
          )}
          {children(id, index)}
        </li>
      ))}
    </ol>
  )
}

interface DragListeners {
  onMove: (clientY: number) => void
  onEnd: (isCancelled: boolean) => void
}

/** Listens in the whole window: an entry that moves loses the pointer. Escape cancels. */
function useDrag(isDragging: boolean, { onMove, onEnd }: DragListeners): void {
  useEffect(() => {
    if (!isDragging) return undefined
    const move = ({ clientY }: globalThis.PointerEvent) => onMove(clientY)
    const end = () => onEnd(false)
    const cancel = ({ key }: globalThis.KeyboardEvent) => key === 'Escape' && onEnd(true)
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', end)
    window.addEventListener('keydown', cancel)
    return () => {
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', end)
      window.removeEventListener('keydown', cancel)
    }
  })
}
