import { useState, type KeyboardEvent } from 'react'
import type { Prompt } from '../../../../shared/chat/conversations.ts'
import { usePrompts } from '../../stores/instructions.ts'

/** An entry of the list: a prompt, or the dialog in which prompts are written. */
export type PromptEntry = Prompt | 'edit'

export interface PromptList {
  /** Null while it is closed. */
  entries: readonly PromptEntry[] | null
  active: number
  toggle(): void
  choose(entry: PromptEntry): void
  /** @returns true when the key belonged to the list */
  onKeyDown(event: KeyboardEvent): boolean
}

/** The list behind `/` at the start of a message, or behind its button. Further letters search it. */
export function usePromptList(draft: string, onChoose: (entry: PromptEntry) => void): PromptList {
  const prompts = usePrompts(({ items }) => items) ?? []
  const [isToggled, setIsToggled] = useState(false)
  const [closedFor, setClosedFor] = useState<string | null>(null)
  const [position, setPosition] = useState(0)
  const searched = draft.startsWith('/') ? draft.slice(1).toLowerCase() : ''
  const found = prompts.filter(({ name }) => name.toLowerCase().includes(searched))
  const isTyped =
    draft.startsWith('/') && draft !== closedFor && (searched === '' || found.length > 0)
  const entries: PromptEntry[] = searched === '' ? [...found, 'edit'] : found
  const isOpen = isToggled || isTyped
  const active = Math.min(position, entries.length - 1)

  function close(): void {
    setIsToggled(false)
    setClosedFor(draft)
    setPosition(0)
  }

  function choose(entry: PromptEntry): void {
    close()
    onChoose(entry)
  }

  function onKeyDown({ key, shiftKey }: KeyboardEvent): boolean {
    const entry = entries[active]
    if (!isOpen || !entry) return false
    if (key === 'ArrowDown') setPosition((active + 1) % entries.length)
    else if (key === 'ArrowUp') setPosition((active + entries.length - 1) % entries.length)
    else if (key === 'Escape') close()
    else if ((key === 'Enter' || key === 'Tab') && !shiftKey) choose(entry)
    else return false
    return true
  }

  const toggle = () => (isOpen ? close() : setIsToggled(true))
  return { entries: isOpen ? entries : null, active, toggle, choose, onKeyDown }
}
