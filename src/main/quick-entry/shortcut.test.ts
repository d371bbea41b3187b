import { expect, onTestFinished, test, vi } from 'vitest'
import { QuickShortcut } from './shortcut.ts'

/** A desktop that refuses some shortcuts, and delivers those that it accepted. */
function start({ saved = null, refused = [] }: { saved?: string | null; refused?: string[] } = {}) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const taken = new Map<string, () => void>()
  let remembered = saved
  let presses = 0
  const open = () =>
    new QuickShortcut({
      platform: 'linux',
      system: {
        register(accelerator, act) {
          if (refused.includes(accelerator) || taken.has(accelerator)) return false
          taken.set(accelerator, act)
          return true
        },
        unregister: (accelerator) => void taken.delete(accelerator),
      },
      remembered: { get: () => remembered, set: (shortcut) => (remembered = shortcut) },
      onPress: () => (presses += 1),
      onChange: () => {},
    })
  return {
    shortcut: open(),
    press: (accelerator: string) => taken.get(accelerator)?.(),
    taken: () => [...taken.keys()],
    remembered: () => remembered,
    presses: () => presses,
  }
}

test('it is off at first, and asks the system for nothing', () => {
  const { shortcut, taken } = start()

  expect(shortcut.state()).toEqual({ shortcut: null, isLost: false, trial: null })
  expect(taken()).toEqual([])
})

test('a recorded shortcut is set once it was pressed, and opens the window from the next press on', () => {
  const { shortcut, press, remembered, presses } = start()

  shortcut.record('Mod+Shift+Space')
  expect(shortcut.state().trial).toEqual({ kind: 'waiting', shortcut: 'Mod+Shift+Space' })
  expect(remembered()).toBeNull()
  press('CommandOrControl+Shift+Space')

  expect(shortcut.state()).toEqual({ shortcut: 'Mod+Shift+Space', isLost: false, trial: null })
  expect([remembered(), presses()]).toEqual(['Mod+Shift+Space', 0])
  press('CommandOrControl+Shift+Space')
  expect(presses()).toBe(1)
  // The limit of the proof is over.
  vi.advanceTimersByTime(10_000)
  expect(shortcut.state().trial).toBeNull()
})

test('one that the system refuses is not set, and the one before stays', () => {
  const { shortcut, press, presses } = start({ saved: 'Alt+A', refused: ['Alt+B'] })

  shortcut.record('Alt+B')

  const trial = { kind: 'refused', shortcut: 'Alt+B' }
  expect(shortcut.state()).toEqual({ shortcut: 'Alt+A', isLost: false, trial })
  press('Alt+A')
  expect(presses()).toBe(1)
})

test('one that does not arrive within ten seconds is not set, and the one before stays', () => {
  const { shortcut, taken } = start({ saved: 'Alt+A' })

  shortcut.record('Alt+B')
  expect(taken()).toEqual(['Alt+B'])
  vi.advanceTimersByTime(9_999)
  expect(shortcut.state().trial?.kind).toBe('waiting')
  vi.advanceTimersByTime(1)

  const trial = { kind: 'silent', shortcut: 'Alt+B' }
  expect(shortcut.state()).toEqual({ shortcut: 'Alt+A', isLost: false, trial })
  expect(taken()).toEqual(['Alt+A'])
})

test('one that another program took before this start is lost, and stays remembered', () => {
  const { shortcut, remembered } = start({ saved: 'Alt+A', refused: ['Alt+A'] })

  expect(shortcut.state()).toEqual({ shortcut: 'Alt+A', isLost: true, trial: null })
  expect(remembered()).toBe('Alt+A')
})

test('turned off, it gives everything back', () => {
  const { shortcut, taken, remembered } = start({ saved: 'Alt+A' })
  shortcut.record('Alt+B')

  shortcut.turnOff()
  vi.advanceTimersByTime(10_000)

  expect(shortcut.state()).toEqual({ shortcut: null, isLost: false, trial: null })
  expect([taken(), remembered()]).toEqual([[], null])
})
