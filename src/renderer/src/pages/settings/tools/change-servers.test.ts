import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usedScene } from '../../../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../../../test/renderer-harness/stub-window.ts'
import type { EnteredServer } from '../../../../../shared/chat/tools.ts'
import { useMcpServers } from '../../../stores/mcp-servers.ts'
import { addServers, readServers } from './change-servers.ts'

beforeEach(() => void stubWindow(usedScene()))
afterEach(() => void vi.unstubAllGlobals())

test('after one server is refused, those before it are not added again', async () => {
  const [server] = await readServers('{}')
  if (!server) throw new Error('the fake reads a server')
  const named = (name: string): EnteredServer => ({ ...server, name })
  const namesOfAll = () => useMcpServers.getState().items?.map(({ name }) => name)
  let left = [named('files'), named('mail'), named('files'), named('search')]
  const onRefused = (added: number) => {
    left = left.slice(added)
  }

  await expect(addServers(left, onRefused)).rejects.toMatchObject({ field: 'name' })
  expect(left.map(({ name }) => name)).toEqual(['files', 'search'])
  expect(namesOfAll()).toEqual(['files', 'mail'])

  const first = await addServers([named('files-2'), named('search')], onRefused)
  expect(first?.name).toBe('files-2')
  expect(namesOfAll()).toEqual(['files', 'mail', 'files-2', 'search'])
})
