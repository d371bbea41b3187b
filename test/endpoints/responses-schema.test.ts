/** Answers that were translated, compared with the vendor's own types. */
import { beforeAll, expect, test } from 'vitest'
import type { FakeModel } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { withPatches } from './codex-requests.ts'
import { eventsOf } from './messages-upstream.ts'
import { problemsOfResponse, problemsOfResponseEvent } from './vendor-types.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

let started: TestService

const atEnd = endOfGroup()
beforeAll(async () => {
  started = await startTestService({ models: { one: {} } }, atEnd)
})

const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) =>
  JSON.stringify({
    id: 'x',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason, ...more }],
  })
const citation = {
  type: 'url_citation',
  url_citation: { url: 'https://example.com', title: 'A', start_index: 0, end_index: 2 },
}
const logprob = { token: 'Hi', logprob: -0.1, bytes: [72, 105], top_logprobs: [] }

test.each<[string, FakeModel]>([
  ['text and reasoning', { text: 'One two', reasoning: 'Hm' }],
  ['no text', { text: '' }],
  [
    'calls of functions and custom tools',
    {
      text: 'Hi',
      toolCalls: [
        { index: 0, id: 'a', name: 'exec_command', argumentPieces: ['{"cmd":', '"a"}'] },
        { index: 1, id: 'b', name: 'apply_patch', argumentPieces: ['{"input":', '"a"}'] },
      ],
    },
  ],
  ['an answer that was cut off', { text: 'One two', finishReason: 'length' }],
  ['a stream that broke off', { text: 'One two', fault: { kind: 'truncate', afterEvents: 3 } }],
  [
    'a refusal after a text',
    {
      events: [
        chunk({ content: 'Hi' }),
        chunk({ refusal: 'No' }),
        chunk({ content: 'again' }),
        chunk({}, 'stop'),
        '[DONE]',
      ],
    },
  ],
  [
    'citations and log probabilities',
    {
      events: [
        chunk({ content: 'Hi' }, null, { logprobs: { content: [logprob], refusal: null } }),
        chunk({ annotations: [citation] }),
        chunk({}, 'stop'),
        '[DONE]',
      ],
    },
  ],
])('%s: each event and the whole answer are of the vendor’s types', async (_what, script) => {
  started.fake.setModel('one', script)

  const answer = await started.post('v1/responses', { ...withPatches, model: 'auto' })
  const events = eventsOf(await answer.text()).map(({ data }) => data)

  for (const event of events) {
    const checked = { ...event, ...withoutMeta(event['response']) }
    expect({ event, problems: problemsOfResponseEvent(checked) }).toEqual({ event, problems: [] })
  }
  expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_, place) => place))
  const { response = {} } = withoutMeta(events.at(-1)?.['response'])
  expect(problemsOfResponse(response)).toEqual([])
  const done = events.filter(({ type }) => type === 'response.output_item.done')
  const added = events.filter(({ type }) => type === 'response.output_item.added')
  const isFailed = response['status'] === 'failed'
  expect(done).toHaveLength(isFailed ? 0 : added.length)
  expect(isFailed ? [] : response['output']).toEqual(done.map(({ item }) => item))
  const ids = new Map(
    added.map(({ output_index: place, item }) => [place, (item as { id: string }).id]),
  )
  const pieces = events.filter(({ item_id: id }) => id !== undefined)
  expect(pieces.map(({ output_index: place }) => ids.get(place))).toEqual(
    pieces.map(({ item_id: id }) => id),
  )
})

function withoutMeta(response: unknown): { response?: Record<string, unknown> } {
  if (response === undefined) return {}
  const { _meta, ...others } = response as Record<string, unknown>
  return { response: others }
}
