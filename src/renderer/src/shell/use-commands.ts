import { useRouter } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { commands } from '../../../shared/app/commands.ts'
import { isPressed } from '../../../shared/app/shortcuts.ts'
import { listen } from '../stores/client.ts'
import { runCommand, type Navigation } from './commands.ts'
import { platform } from './platform.ts'
import { useShell } from './shell-state.ts'

export function useNavigation(): Navigation {
  const { history } = useRouter()
  return useMemo(
    () => ({
      to: (path) => history.push(path),
      back: () => history.back(),
      forward: () => history.forward(),
    }),
    [history],
  )
}

/** Runs commands by their shortcut, and by the application menu. */
export function useCommands(): void {
  const navigation = useNavigation()
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      const command = commands.find(
        ({ shortcut }) => shortcut !== null && isPressed(event, shortcut, platform),
      )
      if (!command || isTyping(event, command.shortcut) || isBlocked(command.id)) return
      // Otherwise the menu on a Mac would run it again.
      event.preventDefault()
      runCommand(command.id, navigation)
    }
    window.addEventListener('keydown', onKeyDown)
    const stop = listen('command', ({ id }) => {
      if (!isBlocked(id)) runCommand(id, navigation)
    })
    return () => {
      window.removeEventListener('keydown', onKeyDown)
      stop()
    }
  }, [navigation])
}

/** A shortcut without a modifier is text in a field. */
function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent, shortcut: unknown): boolean {
  if (shortcut === null || ctrlKey || metaKey || altKey) return false
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable="true"]') !== null
  )
}

/** Whether a command must wait: a dialog may hold unsaved input. An overlay's own command closes it. */
function isBlocked(id: string): boolean {
  if (useShell.getState().overlay === id) return false
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
}
