/**
 * What the real vendors refuse inside a loop of tool calls: proofs of reasoning that they did not give, or that another
 * model gave, forms of thinking that the model does not take, and calls without results.
 */
import { fieldsOf, listOf } from '../../src/service/json-fields.ts'
import { jsonReply, type FakeFormat, type RecordedRequest } from '../upstreams/harness.ts'

/** What a vendor refuses beyond its published types. @param authorOf  the model that gave a proof */
export type Rules = (
  body: Readonly<Record<string, unknown>>,
  authorOf: (proof: unknown) => string | undefined,
) => string[]

export function refusal(message: string) {
  const error = { type: 'invalid_request_error', code: 'invalid_request', message }
  return jsonReply(400, { type: 'error', error })
}

export function modelOf({ body }: RecordedRequest): string {
  return String(fieldsOf(body)['model'])
}

/** The format with a proof of its own in each answer. */
export function signing(format: FakeFormat, authors: Map<unknown, string>): FakeFormat {
  const signed = (text: string, request: RecordedRequest, proof: string) => {
    authors.set(proof, modelOf(request))
    return text
      .replaceAll('"signature":"signature"', `"signature":"${proof}"`)
      .replaceAll('encrypted-fake', proof)
      .replaceAll('rs_fake', `rs_${authors.size}`)
      .replaceAll('msg_fake', `msg_${authors.size}`)
  }
  const nextProof = (request: RecordedRequest) =>
    Buffer.from(`${modelOf(request)} ${authors.size}`).toString('base64')
  return {
    ...format,
    whole(answer, request) {
      const reply = format.whole(answer, request)
      return { ...reply, body: signed(reply.body.toString(), request, nextProof(request)) }
    },
    stream(answer, request) {
      const { headers, events } = format.stream(answer, request)
      const proof = nextProof(request)
      return {
        headers,
        events: events.map((bytes) => Buffer.from(signed(bytes.toString(), request, proof))),
      }
    },
  }
}

/** Claude's. */
export const claudeRules: Rules = (body, authorOf) => {
  const messages = listOf(body['messages']).map(fieldsOf)
  const blocks = messages.flatMap(({ content }) => listOf(content).map(fieldsOf))
  const thoughts = blocks.filter(({ type }) => type === 'thinking')
  const isSigned = ({ signature }: (typeof blocks)[number]) => authorOf(signature) !== undefined
  return [
    ...(thoughts.every(isSigned) ? [] : ['Invalid signature in thinking block']),
    ...(String(body['model']).includes('4-5')
      ? refusedByOlder(body, authorOf)
      : refusedByNewer(body)),
    ...repeated(blocks.map(({ type, id }) => (type === 'tool_use' ? id : undefined))),
  ]
}

/** Within a loop, the last answer must begin with the model's own thinking. */
function refusedByOlder(...[body, authorOf]: Parameters<Rules>): string[] {
  const { type } = fieldsOf(body['thinking'])
  if (type === 'adaptive') return ['adaptive thinking is not supported']
  const messages = listOf(body['messages']).map(fieldsOf)
  const results = listOf(messages.at(-1)?.['content']).map(fieldsOf)
  const isInLoop = results.some((block) => block['type'] === 'tool_result')
  const [first] = listOf(messages.findLast(({ role }) => role === 'assistant')?.['content'])
  const isOwn = authorOf(fieldsOf(first)['signature']) === body['model']
  return type === 'enabled' && isInLoop && !isOwn ? ['Expected thinking first'] : []
}

function refusedByNewer(body: Parameters<Rules>[0]): string[] {
  const { type } = fieldsOf(body['thinking'])
  const isOff = type === 'disabled' && String(body['model']).includes('opus')
  return [
    ...(type === 'enabled' ? ['thinking.type enabled is not supported'] : []),
    ...(isOff ? ['thinking cannot be off'] : []),
    ...(body['temperature'] === undefined ? [] : ['temperature is not supported']),
    ...(body['tool_choice'] === undefined ? [] : refusedChoice(body)),
  ]
}

function refusedChoice(body: Parameters<Rules>[0]): string[] {
  const { type } = fieldsOf(body['tool_choice'])
  return type === 'any' || type === 'tool' ? ['tools cannot be forced'] : []
}

/** OpenAI's: reasoning belongs to the model that gave it. */
export const responsesRules: Rules = (body, authorOf) => {
  const items = listOf(body['input']).map(fieldsOf)
  const isOf = (type: string) => (item: (typeof items)[number]) => item['type'] === type
  const reasoning = items.filter(isOf('reasoning'))
  const calls = items.filter(isOf('function_call')).map((item) => item['call_id'])
  const results = items.filter(isOf('function_call_output')).map((item) => item['call_id'])
  return [
    ...reasoning
      .filter((item) => authorOf(item['encrypted_content']) !== body['model'])
      .map(() => 'invalid_encrypted_content'),
    ...unmatched(calls, results),
    ...repeated(calls),
  ]
}

export const chatRules: Rules = (body) => {
  const messages = listOf(body['messages']).map(fieldsOf)
  const calls = messages.flatMap((message) =>
    listOf(message['tool_calls']).map((call) => fieldsOf(call)['id']),
  )
  const results = messages.flatMap((message) => message['tool_call_id'] ?? [])
  return [...unmatched(calls, results), ...repeated(calls)]
}

function unmatched(calls: readonly unknown[], results: readonly unknown[]): string[] {
  const open = calls.filter((id) => !results.includes(id))
  const unknown = results.filter((id) => !calls.includes(id))
  return [
    ...open.map((id) => `no result for ${String(id)}`),
    ...unknown.map((id) => `no call for ${String(id)}`),
  ]
}

function repeated(ids: readonly unknown[]): string[] {
  const named = ids.filter((id) => id !== undefined)
  return new Set(named).size === named.length ? [] : ['tool ids must be unique']
}
