import type { GlobalShortcut } from 'electron'
import type { QuickEntryState } from '../../shared/app/quick-entry.ts'
import { acceleratorOf } from '../../shared/app/shortcuts.ts'

/** How long a recorded shortcut waits for its proof. */
const proofMs = 10_000

export interface QuickShortcut {
  state(): Omit<QuickEntryState, 'command'>
  /** Tries a shortcut. Until it was pressed, the one before stays the set one. */
  record(shortcut: string): void
  turnOff(): void
}

export interface QuickShortcutOptions {
  system: Pick<GlobalShortcut, 'register' | 'unregister'>
  platform: NodeJS.Platform
  remembered: { get(): string | null; set(shortcut: string | null): void }
  onPress(): void
  onChange(): void
}

/**
 * The shortcut that opens the quick entry. That the system accepts one does not mean that it delivers it, as on some desktops
 * with Wayland. So a shortcut is set only once it was pressed and arrived.
 */
export function openQuickShortcut(options: QuickShortcutOptions): QuickShortcut {
  const { system, remembered, onPress, onChange } = options
  let trial: QuickEntryState['trial'] = null
  let timer: NodeJS.Timeout | undefined
  let isLost = !take(remembered.get(), onPress)

  function accelerator(shortcut: string): string {
    return acceleratorOf(shortcut, options.platform === 'darwin' ? 'mac' : 'other') ?? shortcut
  }

  /** @returns whether the system accepts it; true for none */
  function take(shortcut: string | null, act: () => void): boolean {
    return shortcut === null || system.register(accelerator(shortcut), act)
  }

  function release(shortcut: string | null | undefined): void {
    if (shortcut) system.unregister(accelerator(shortcut))
  }

  function endTrial(kind: 'refused' | 'silent', shortcut: string): void {
    trial = { kind, shortcut }
    isLost = !take(remembered.get(), onPress)
    onChange()
  }

  function prove(shortcut: string): void {
    release(shortcut)
    clearTimeout(timer)
    trial = null
    remembered.set(shortcut)
    isLost = !take(shortcut, onPress)
    onChange()
  }

  function releaseAll(): void {
    clearTimeout(timer)
    release(remembered.get())
    if (trial?.kind === 'waiting') release(trial.shortcut)
  }

  return {
    state: () => ({ shortcut: remembered.get(), isLost, trial }),
    record(shortcut) {
      releaseAll()
      if (!take(shortcut, () => prove(shortcut))) return endTrial('refused', shortcut)
      trial = { kind: 'waiting', shortcut }
      timer = setTimeout(() => {
        release(shortcut)
        endTrial('silent', shortcut)
      }, proofMs)
      onChange()
    },
    turnOff() {
      releaseAll()
      trial = null
      isLost = false
      remembered.set(null)
      onChange()
    },
  }
}
