import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  reachableBounds,
  readWindowState,
  withoutDialog,
  writeWindowState,
} from './window-state.ts'

const reportUnexpected = (error: unknown) => {
  throw error
}

let file: string
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelport-window-'))
  file = join(folder, 'window.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

const screen = { x: 0, y: 0, width: 1_920, height: 1_080 }
const right = { x: 1_920, y: 0, width: 1_280, height: 1_024 }

test('reads the written state', () => {
  const state = {
    bounds: { x: 10, y: 20, width: 900, height: 700 },
    isMaximized: true,
    page: '/settings/server',
    theme: 'dark' as const,
    language: 'de' as const,
    startsHidden: true,
    hasExplainedTray: true,
    quickEntryShortcut: 'Mod+Shift+Space',
  }

  writeWindowState(file, state, reportUnexpected)

  expect(readWindowState(file)).toEqual(state)
})

test('a state that cannot be written leaves the file as it was', () => {
  const state = { ...readWindowState(file), page: '/settings' }
  writeWindowState(file, state, reportUnexpected)
  mkdirSync(`${file}.draft`)

  const failed = vi.fn<(error: unknown) => void>()
  writeWindowState(file, { ...state, page: '/chat' }, failed)
  expect(failed).toHaveBeenCalledOnce()
  expect(readWindowState(file)).toEqual(state)
})

test.each(['', '{"bounds":', '{"bounds":{"x":"left"},"isMaximized":false,"theme":"dark"}'])(
  'a damaged file (%j) gives the default state',
  (text) => {
    writeFileSync(file, text)

    expect(readWindowState(file)).toEqual({
      bounds: null,
      isMaximized: false,
      page: '/',
      theme: 'system',
      language: 'system',
      startsHidden: false,
      hasExplainedTray: false,
      quickEntryShortcut: null,
    })
  },
)

test.each([
  ['inside the screen', { x: 100, y: 100, width: 900, height: 700 }],
  [
    'half outside on the left, with its title bar within reach',
    { x: -500, y: 50, width: 900, height: 700 },
  ],
  ['on the second screen', { x: 2_000, y: 10, width: 900, height: 700 }],
])('a window %s opens there again', (_where, bounds) => {
  expect(reachableBounds(bounds, [screen, right])).toEqual(bounds)
})

test.each([
  ['on a display that is gone', { x: 2_000, y: 10, width: 900, height: 700 }],
  ['above the screen', { x: 100, y: -30, width: 900, height: 700 }],
  ['below the screen', { x: 100, y: 1_060, width: 900, height: 700 }],
  ['almost entirely outside on the left', { x: -850, y: 100, width: 900, height: 700 }],
])('a window %s opens at the system’s default position', (_where, bounds) => {
  expect(reachableBounds(bounds, [screen])).toBeNull()
})

test('a state without a page, or with an address of elsewhere, opens the start page', () => {
  const stored = {
    bounds: null,
    isMaximized: false,
    theme: 'dark',
    language: 'ja',
    startsHidden: false,
    hasExplainedTray: false,
    quickEntryShortcut: null,
  }

  for (const page of [undefined, 'https://example.com', '']) {
    writeFileSync(file, JSON.stringify({ ...stored, page }))
    expect(readWindowState(file)).toEqual({ ...stored, page: '/' })
  }
})

test.each([
  ['/models?view=providers&add=any', '/models?view=providers'],
  ['/providers?add=openai', '/providers'],
  ['/activity?range=7d', '/activity?range=7d'],
  ['/', '/'],
])('a dialog in the address %s does not open again', (page, remembered) => {
  expect(withoutDialog(page)).toBe(remembered)
})
