import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import { loadExplained, useExplained } from './explained.ts'

beforeEach(() => useExplained.setState({}, true))
afterEach(() => vi.unstubAllGlobals())

test('a request in the ledger has an explained decision', async () => {
  const scene = usedScene()
  stubWindow(scene)
  const id = scene.requests[0]?.id ?? ''
  await loadExplained(id)
  expect(useExplained.getState()[id]).toMatchObject({
    kind: 'known',
    request: {
      record: { id },
      detail: { why: expect.stringContaining('Cheapest of') },
    },
  })
})

test('a request that the ledger does not have is missing, and is requested again', async () => {
  const scene = usedScene()
  stubWindow(scene)
  await loadExplained('late')
  expect(useExplained.getState()['late']).toEqual({ kind: 'gone' })

  const [request] = scene.requests
  if (!request) throw new Error('the scene has no request')
  scene.requests.push({ ...request, id: 'late' })
  await loadExplained('late')
  expect(useExplained.getState()['late']).toMatchObject({ kind: 'known' })
})

test('the 50 requests opened last are kept', async () => {
  stubWindow(usedScene())
  for (let index = 0; index < 50; index += 1) await loadExplained(`opened-${index}`)
  await loadExplained('opened-0')
  await loadExplained('one-more')
  const kept = Object.keys(useExplained.getState())
  expect(kept).toHaveLength(50)
  expect(kept).toContain('opened-0')
  expect(kept).not.toContain('opened-1')
})
