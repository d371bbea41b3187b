import { useEffect, useState, type KeyboardEvent } from 'react'
import { commandOf, type ActionId } from '../../../../shared/app/commands.ts'
import type { Prompt } from '../../../../shared/chat/conversations.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { isAvailable } from '../../shell/commands.ts'
import { usePrompts } from '../../stores/instructions.ts'
import {
  loadServerPrompts,
  useServerPrompts,
  type FoundPrompt,
} from '../../stores/server-prompts.ts'

/** An entry of the list: a prompt, the dialog in which prompts are written, a command, or a prompt of an MCP server. */
export type PromptEntry =
  | { kind: 'own'; prompt: Prompt }
  | { kind: 'edit' }
  | { kind: 'command'; id: ActionId }
  | { kind: 'server'; found: FoundPrompt }

export interface PromptList {
  /** Null while it is closed. */
  entries: readonly PromptEntry[] | null
  active: number
  toggle(): void
  choose(entry: PromptEntry): void
  /** @returns true when the key belonged to the list */
  onKeyDown(event: KeyboardEvent): boolean
}

/** Commands that are about the conversation. */
const chatCommands: readonly ActionId[] = [
  'new-chat',
  'stop',
  'compare-routers',
  'edit-instructions',
  'toggle-charts',
  'export-chat',
]

/** The list behind `/` at the start of a message, or behind its button. Further letters search it. */
export function usePromptList(draft: string, onChoose: (entry: PromptEntry) => void): PromptList {
  const [isToggled, setIsToggled] = useState(false)
  const [closedFor, setClosedFor] = useState<string | null>(null)
  const [position, setPosition] = useState(0)
  // A new slash opens the list again.
  if (closedFor !== null && !draft.startsWith('/')) setClosedFor(null)
  const searched = draft.startsWith('/') ? draft.slice(1).toLowerCase() : ''
  const entries = useEntries(searched)
  const isTyped =
    draft.startsWith('/') && draft !== closedFor && (searched === '' || entries.length > 0)
  const isOpen = isToggled || isTyped
  const active = Math.min(position, entries.length - 1)
  // Servers are asked, and may start, only for a list that is open.
  useEffect(() => {
    if (isOpen) void loadServerPrompts()
  }, [isOpen])

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

/** Prompts of servers are last, because they arrive while the list is open. */
function useEntries(searched: string): PromptEntry[] {
  const prompts = usePrompts(({ items }) => items) ?? []
  const found = useServerPrompts()
  const entries: PromptEntry[] = [
    ...prompts.map((prompt) => ({ kind: 'own' as const, prompt })),
    { kind: 'edit' },
    ...chatCommands.filter(isAvailable).map((id) => ({ kind: 'command' as const, id })),
    ...Object.values(found)
      .flat()
      .map((each) => ({ kind: 'server' as const, found: each })),
  ]
  return searched === ''
    ? entries
    : entries.filter(
        (entry) => entry.kind !== 'edit' && titleOf(entry).toLowerCase().includes(searched),
      )
}

export function titleOf(entry: PromptEntry): string {
  switch (entry.kind) {
    case 'own':
      return entry.prompt.name
    case 'edit':
      return t('Edit prompts…')
    case 'command':
      return commandOf(entry.id).title
    case 'server':
      return entry.found.prompt.title
  }
}
