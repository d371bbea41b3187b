/** Names that a caller gives to fields end up in a header of the answer. */
import { expect, test } from 'vitest'
import { startWithMessagesUpstream, streamed, whole } from '../endpoints/messages-upstream.ts'
import { hello } from '../test-service.ts'

const names = ['a\r\nx-injected: 1', 'nul\0', 'esc\u001b', 'smile😀', 'line\u2028', '\ud800']
const many = Array.from({ length: 700 }, (_, index) => `unknown_field_${index}`)

test.each([
  ['of characters that a header cannot have', names, /a%0D%0Ax-injected: 1=left_out/],
  ['of 700 fields', many, /, and_more=\d+$/],
] as const)('names %s are answered, whole and streamed', async (_what, fields, header) => {
  const { post, upstream } = await startWithMessagesUpstream()
  const unknown = Object.fromEntries(fields.map((name) => [name, 1]))

  for (const stream of [false, true]) {
    upstream.answer = stream ? streamed('Hello') : [whole('Hello')]
    const answer = await post('chat/completions', { ...hello, ...unknown, stream })
    const text = await answer.text()

    expect(answer.status).toBe(200)
    expect(text).toContain('Hello')
    expect(answer.headers.get('x-injected')).toBeNull()
    expect(answer.headers.get('x-modelport-adjusted')).toMatch(header)
    expect(answer.headers.get('x-modelport-adjusted')?.length).toBeLessThanOrEqual(2_048)
  }
})
