import { expect, test } from 'vitest'
import type { ProviderChunk } from '../../../providers/provider.ts'
import { ResponseEvents } from './events.ts'

test('parts of reasoning are paragraphs', () => {
  const events = new ResponseEvents()
  const part = (place: [output_index: number, summary_index: number], ...deltas: string[]) =>
    deltas.map((delta) => ({
      type: 'response.reasoning_summary_text.delta',
      output_index: place[0],
      summary_index: place[1],
      delta,
    }))
  const answer = { type: 'response.output_text.delta', output_index: 2, delta: 'Hi' }
  const sent = [...part([0, 0], 'On', 'e.'), ...part([0, 1], '**Two**'), ...part([1, 0], 'Three.')]

  const chunk = [...sent, answer].reduce<ProviderChunk | null>(
    (before, event) => events.append(before, JSON.stringify(event)),
    null,
  )

  const deltas = chunk?.choices.map(({ delta }) => delta) ?? []
  expect(deltas.map(({ reasoning_content }) => reasoning_content ?? '').join('')).toBe(
    'One.\n\n**Two**\n\nThree.',
  )
  expect(deltas.at(-1)).toEqual({ content: 'Hi' })
})
