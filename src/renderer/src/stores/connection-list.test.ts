import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import { switchableConnections as all } from '../../../shared/app/connections.ts'
import { switchConnection, workOffline } from './connection-list.ts'
import { useSettings } from './settings.ts'

const [first, second] = all

beforeEach(async () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  stubWindow(usedScene())
  await useSettings.getState().load()
})
afterEach(() => void vi.unstubAllGlobals())

const off = () => useSettings.getState().settings?.connectionsOff

test('back from working offline, what was switched off before stays off', async () => {
  if (!first || !second) throw new Error('fewer than two connections have a switch')
  await switchConnection(first, false)
  await switchConnection(second, false)
  await switchConnection(second, true)
  expect(off()).toEqual([first])

  await workOffline(true)
  expect(off()).toEqual(all)
  await workOffline(false)
  expect(off()).toEqual([first])
})

test('when all were switched off one by one, only the last is switched on again', async () => {
  if (!first) throw new Error('no connection has a switch')
  for (const id of all) await switchConnection(id, false)
  await workOffline(false)
  expect(off()).toEqual(all.slice(0, -1))
})

test('when nothing was off before, all are on again', async () => {
  await workOffline(true)
  await workOffline(false)
  expect(off()).toEqual([])
})
