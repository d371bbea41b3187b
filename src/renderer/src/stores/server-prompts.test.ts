import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sampleServer } from '../../../../test/renderer-harness/fake-mcp.ts'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import { loadServerPrompts, readServerPrompt, useServerPrompts } from './server-prompts.ts'

const prompt = {
  name: 'review',
  title: 'Review a file',
  description: '',
  arguments: [{ name: 'file', title: 'file', description: '', isRequired: true }],
}

beforeEach(() => useServerPrompts.setState({}, true))
afterEach(() => vi.unstubAllGlobals())

test('only servers that are on and may start are asked, and one that fails leaves the others', async () => {
  const { bridge } = stubWindow(usedScene())
  const servers = [
    sampleServer({ id: 'good', name: 'Notes' }),
    sampleServer({ id: 'broken' }),
    sampleServer({ id: 'off', isOn: false }),
    sampleServer({ id: 'unseen', hasConsent: false }),
  ]
  const asked: string[] = []
  bridge.call = async (name: string, input: unknown) => {
    if (name === 'mcp:list') return { ok: true, value: servers } as never
    const { id } = input as { id: string }
    asked.push(id)
    const error = { code: 'conflict', message: 'It ended.', field: null }
    // Only the two calls of the store are made here.
    return (id === 'good' ? { ok: true, value: [prompt] } : { ok: false, error }) as never
  }
  await loadServerPrompts()
  expect(asked).toEqual(['good', 'broken'])
  expect(useServerPrompts.getState()).toEqual({
    good: [{ serverId: 'good', server: 'Notes', prompt }],
    broken: [],
  })
})

test('an argument without a value is not given', async () => {
  const { bridge } = stubWindow(usedScene())
  const call = vi.spyOn(bridge, 'call')
  await readServerPrompt({ serverId: 's', server: 'Notes', prompt }, { file: 'a.ts', focus: '' })
  expect(call).toHaveBeenCalledWith('mcp:prompt', {
    id: 's',
    name: 'review',
    arguments: { file: 'a.ts' },
  })
})
