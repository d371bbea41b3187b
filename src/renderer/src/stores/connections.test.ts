import { afterEach, expect, test, vi } from 'vitest'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import {
  closeConnection,
  noteConnectionRequest,
  openConnection,
  undoToolFiles,
  useConnection,
  useTools,
  writeToolFiles,
} from './connections.ts'

const input = { toolId: 'claude-code', routerId: 'router_1' }
const request = usedScene().requests[0]

afterEach(() => {
  closeConnection()
  vi.unstubAllGlobals()
})

test('a connection shows its key and snippets until it is closed', async () => {
  stubWindow(usedScene())
  await openConnection(input)
  const { connection } = useConnection.getState()
  const key = await connection?.copyKey()
  expect(key).toMatch(/^mp_/)
  expect(connection?.snippets[0]?.text()).toContain(key)

  closeConnection()
  expect(useConnection.getState().connection).toBeNull()
  expect(await connection?.copyKey()).toBe('')
  expect(connection?.snippets[0]?.text()).toBe('')
})

test('the key of a dialog that was closed meanwhile is not shown', async () => {
  stubWindow(usedScene())
  const opening = openConnection(input)
  closeConnection()
  await opening
  expect(useConnection.getState().connection).toBeNull()
})

test('a tool that cannot be connected gives the error', async () => {
  stubWindow(usedScene())
  await openConnection({ ...input, toolId: 'cursor' })
  expect(useConnection.getState()).toMatchObject({ connection: null, error: { code: 'invalid' } })
})

test('the status is read again when a request with the key ends', async () => {
  stubWindow(usedScene())
  await openConnection(input)
  expect(useConnection.getState().status?.first).toBeNull()

  if (!request) throw new Error('the scene has no request')
  noteConnectionRequest({ ...request, apiKeyId: 'another key' })
  noteConnectionRequest({ ...request, apiKeyId: 'key_connection1' })
  await expect.poll(() => useConnection.getState().status?.first?.modelUsed).toBe('openai:gpt-5')
})

test('files are written and restored, and the list of tools follows', async () => {
  stubWindow(usedScene())
  await openConnection(input)
  await writeToolFiles()
  expect(useConnection.getState().written?.files).toHaveLength(1)
  expect(useTools.getState().items?.[0]).toMatchObject({ written: { routerId: 'router_1' } })

  await undoToolFiles(input.toolId)
  expect(useConnection.getState().written).toBeNull()
  expect(useTools.getState().items?.[0]).toMatchObject({ written: null })
})
