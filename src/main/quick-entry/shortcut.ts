import type { GlobalShortcut } from 'electron'
import type { QuickEntryState } from '../../shared/app/quick-entry.ts'
import { acceleratorOf } from '../../shared/app/shortcuts.ts'

/** How long a recorded shortcut waits for its proof. */
const proofMs = 10_000

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
export class QuickShortcut {
  readonly #options: QuickShortcutOptions
  #trial: QuickEntryState['trial'] = null
  #timer: NodeJS.Timeout | undefined
  #isLost: boolean

  constructor(options: QuickShortcutOptions) {
    this.#options = options
    this.#isLost = !this.#takeSet()
  }

  state(): Omit<QuickEntryState, 'command'> {
    return { shortcut: this.#options.remembered.get(), isLost: this.#isLost, trial: this.#trial }
  }

  /** Tries a shortcut. Until it was pressed, the one before stays the set one. */
  record(shortcut: string): void {
    this.#releaseAll()
    if (!this.#take(shortcut)) {
      this.#endTrial({ kind: 'refused', shortcut })
      return
    }
    this.#trial = { kind: 'waiting', shortcut }
    this.#timer = setTimeout(() => {
      this.#release(shortcut)
      this.#endTrial({ kind: 'silent', shortcut })
    }, proofMs)
    this.#options.onChange()
  }

  turnOff(): void {
    this.#releaseAll()
    this.#options.remembered.set(null)
    this.#endTrial(null)
  }

  #press(shortcut: string): void {
    if (this.#trial?.kind === 'waiting') this.#prove(shortcut)
    else this.#options.onPress()
  }

  /** The system keeps the shortcut: taken anew while it is pressed, it would be pressed at once. */
  #prove(shortcut: string): void {
    clearTimeout(this.#timer)
    this.#options.remembered.set(shortcut)
    this.#trial = null
    this.#isLost = false
    this.#options.onChange()
  }

  /** From now on, the set shortcut works again. */
  #endTrial(trial: QuickEntryState['trial']): void {
    this.#trial = trial
    this.#isLost = !this.#takeSet()
    this.#options.onChange()
  }

  /** @returns whether the system accepts the set shortcut; true without one */
  #takeSet(): boolean {
    const shortcut = this.#options.remembered.get()
    return shortcut === null || this.#take(shortcut)
  }

  #take(shortcut: string): boolean {
    return this.#options.system.register(this.#accelerator(shortcut), () => this.#press(shortcut))
  }

  #release(shortcut: string): void {
    this.#options.system.unregister(this.#accelerator(shortcut))
  }

  #releaseAll(): void {
    clearTimeout(this.#timer)
    const shortcut = this.#options.remembered.get()
    if (shortcut !== null) this.#release(shortcut)
    if (this.#trial?.kind === 'waiting') this.#release(this.#trial.shortcut)
  }

  #accelerator(shortcut: string): string {
    const platform = this.#options.platform === 'darwin' ? 'mac' : 'other'
    return acceleratorOf(shortcut, platform) ?? shortcut
  }
}
