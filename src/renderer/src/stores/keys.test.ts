import { afterEach, expect, test, vi } from 'vitest'
import { copyKey } from './keys.ts'

afterEach(() => vi.unstubAllGlobals())

const shown = { key: 'mp_new', name: 'Laptop', routers: 'all' as const }

/** A main process that sees the copied text at the given look; never, if it is null. */
function stubClipboard(seenAt: number | null): { copied: string[]; looks: unknown[] } {
  const copied: string[] = []
  const looks: unknown[] = []
  const writeText = async (text: string) => void copied.push(text)
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  const answer = async (name: string, input: unknown) => {
    looks.push([name, input])
    return { ok: true, value: looks.length === seenAt }
  }
  vi.stubGlobal('window', { modelport: { call: answer } })
  return { copied, looks }
}

test('a key counts as copied once the clipboard holds it, which may take a moment', async () => {
  const { copied, looks } = stubClipboard(3)

  await copyKey(shown, async () => {})

  expect(copied).toEqual(['mp_new'])
  expect(looks).toHaveLength(3)
  // The key itself does not leave the window again.
  expect(JSON.stringify(looks)).not.toContain('mp_new')
})

test('a key that the clipboard does not take is not copied', async () => {
  stubClipboard(null)

  await expect(copyKey(shown, async () => {})).rejects.toThrow('The clipboard did not take the key')
})
