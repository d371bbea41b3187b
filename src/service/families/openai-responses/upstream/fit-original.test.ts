import { expect, test } from 'vitest'
import { fitOriginal } from './fit-original.ts'

const reasoning = (id: string, proof: string) => ({
  type: 'reasoning',
  id,
  summary: [],
  encrypted_content: proof,
})
const call = (id: string) => ({ type: 'function_call', id: `fc_${id}`, call_id: id, name: 'Read' })
const result = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'x' })
const said = (id: string) => ({
  type: 'message',
  id: `msg_${id}`,
  role: 'assistant',
  content: [{ type: 'output_text', text: id }],
})
const asked = { type: 'message', role: 'user', content: 'Next.' }

function fitted(input: readonly object[]) {
  const isForeign = (proof: string) => proof.startsWith('foreign')
  const fields = { input }
  const { members } = fitOriginal({ model: 'gpt', body: { messages: [] }, fields, isForeign })
  return typeof members['input'] === 'string' ? (JSON.parse(members['input']) as unknown) : null
}

test('foreign reasoning goes with the ids of its answer, and what came before and after stays', () => {
  const before = [asked, reasoning('rs_1', 'own'), said('a'), call('c1'), result('c1')]
  const foreign = [reasoning('rs_2', 'foreign'), said('b'), call('c2'), result('c2')]
  const after = [reasoning('rs_3', 'own'), call('c3'), result('c3'), asked, said('d')]

  const bare = [
    { role: 'assistant', content: 'b' },
    { type: 'function_call', call_id: 'c2', name: 'Read' },
    result('c2'),
  ]
  expect(fitted([...before, ...foreign, ...after])).toEqual([...before, ...bare, ...after])
})

test('a longer conversation begins as the shorter one was sent', () => {
  const steps = Array.from({ length: 12 }, (_, nth) => [
    reasoning(`rs_${nth}`, nth % 5 === 3 ? `foreign ${nth}` : `own ${nth}`),
    said(String(nth)),
    call(`c${nth}`),
    result(`c${nth}`),
  ])
  let shorter: unknown[] = []
  for (let count = 4; count <= steps.length; count += 1) {
    const sent = fitted([asked, ...steps.slice(0, count).flat()])
    const items: unknown[] = Array.isArray(sent) ? sent : []
    expect(items.slice(0, shorter.length)).toEqual(shorter)
    shorter = items
  }
  expect(shorter).toHaveLength(1 + 4 * steps.length - 2)
})

test('a conversation without foreign reasoning is sent as it came', () => {
  expect(fitted([asked, reasoning('rs_1', 'own'), said('a')])).toBeNull()
})
