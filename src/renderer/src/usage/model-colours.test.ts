import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let stored: Record<string, string>

beforeEach(() => {
  stored = {}
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => {
      stored[key] = value
    },
  })
})
afterEach(() => vi.unstubAllGlobals())

/** The module as after a restart of the app. */
async function freshModule() {
  vi.resetModules()
  return import('./model-colours.ts')
}

test('seven models have seven colours, and the next seven the same ones hatched', async () => {
  const { colourOfModel } = await freshModule()
  const given = Array.from({ length: 14 }, (_, index) => colourOfModel(`model-${index}`))
  expect(new Set(given.slice(0, 7).map(({ color }) => color)).size).toBe(7)
  expect(given.slice(7)).toEqual(given.slice(0, 7).map(({ color }) => ({ color, isHatched: true })))
})

test('a model keeps its colour after a restart', async () => {
  const first = await freshModule()
  first.colourOfModel('a')
  const color = first.colourOfModel('b')
  const second = await freshModule()
  expect(second.colourOfModel('b')).toEqual(color)
})

test('colours are given anew when the stored ones are damaged', async () => {
  stored['model-colours'] = '{"not": "a list"'
  const { colourOfModel } = await freshModule()
  expect(colourOfModel('a')).toEqual({ color: 'var(--color-series-1)', isHatched: false })
})
