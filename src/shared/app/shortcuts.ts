/** Keyboard shortcuts: how they are written, shown, matched and passed to Electron's menu. */

export type Platform = 'mac' | 'other'

/** Modifiers and a key, joined by plus: `Mod+Shift+C`. `Mod` is ⌘ on a Mac and Ctrl elsewhere. */
export type Shortcut = string | Readonly<Record<Platform, string>>

interface Keys {
  modifiers: readonly string[]
  key: string
}

/** The fields of a keyboard event that decide. */
export interface KeyPress {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
  altKey: boolean
}

function keysOf(shortcut: Shortcut, platform: Platform): Keys {
  const text = typeof shortcut === 'string' ? shortcut : shortcut[platform]
  const parts = text.split('+')
  return { modifiers: parts.slice(0, -1), key: parts.at(-1) ?? '' }
}

const macSigns: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' }
const arrows: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→' }

/** The keys as a person reads them: `['⌘', 'K']` or `['Ctrl', 'K']`. */
export function shownKeys(shortcut: Shortcut, platform: Platform): string[] {
  const { modifiers, key } = keysOf(shortcut, platform)
  const shown = modifiers.map((modifier) =>
    platform === 'mac' ? (macSigns[modifier] ?? modifier) : modifier === 'Mod' ? 'Ctrl' : modifier,
  )
  return [...shown, arrows[key] ?? key]
}

/** `⌘⇧C` or `Ctrl+Shift+C`. */
export function shortcutText(shortcut: Shortcut, platform: Platform): string {
  return shownKeys(shortcut, platform).join(platform === 'mac' ? '' : '+')
}

/** The shortcut in the form of Electron's menu; null for a single key, which a menu must not take from text fields. */
export function acceleratorOf(shortcut: Shortcut, platform: Platform): string | null {
  const { modifiers, key } = keysOf(shortcut, platform)
  if (modifiers.length === 0) return null
  const names = modifiers.map((modifier) => (modifier === 'Mod' ? 'CommandOrControl' : modifier))
  return [...names, key.replace('Arrow', '')].join('+')
}

/** Whether this key press is the shortcut. Digits match by their key, so that layouts with shifted digits work too. */
export function isPressed(press: KeyPress, shortcut: Shortcut, platform: Platform): boolean {
  const { modifiers, key } = keysOf(shortcut, platform)
  const has = (modifier: string) => modifiers.includes(modifier)
  const [mod, other] =
    platform === 'mac' ? [press.metaKey, press.ctrlKey] : [press.ctrlKey, press.metaKey]
  if (mod !== has('Mod') || other || press.altKey !== has('Alt')) return false
  if (modifiers.length === 0) return press.key === key
  if (press.shiftKey !== has('Shift')) return false
  return press.key.toLowerCase() === key.toLowerCase() || press.code === `Digit${key}`
}
