import { afterEach, expect, test, vi } from 'vitest'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { useRouters } from '../stores/routers.ts'

// The state of the navigation is read from the browser's storage when the module loads.
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} })
const { isAvailable } = await import('./commands.ts')

afterEach(() => useRouters.setState({ items: null, error: null }))

test('routers can be compared only when there is one', () => {
  useRouters.setState({ items: [] })
  expect(isAvailable('compare-routers')).toBe(false)
  useRouters.setState({ items: usedScene().routers })
  expect(isAvailable('compare-routers')).toBe(true)
})
