/**
 * Vendors that refuse what the real ones refuse inside a loop of tool calls: proofs of reasoning that they did not give,
 * or that another model gave, forms of thinking that the model does not take, and calls without results.
 */
import { onTestFinished } from 'vitest'
import { fieldsOf, listOf } from '../../src/service/json-fields.ts'
import type { Chance } from '../agents/random.ts'
import {
  answerOf,
  jsonReply,
  type FakeFormat,
  type RecordedRequest,
  type UsageMeaning,
} from '../upstreams/harness.ts'
import { startWireServer, type FakeScript, type WireServer } from '../upstreams/wire-server.ts'

/** What a vendor refuses beyond its published types. @param authorOf  the model that gave a proof */
export type Rules = (
  body: Readonly<Record<string, unknown>>,
  authorOf: (proof: unknown) => string | undefined,
) => string[]

export interface StrictVendor {
  server: WireServer
  /** Why requests were refused, each with the model. */
  refused: string[]
  /** Models that do not answer now. */
  down: Set<string>
  /** Tokens that were billed, by model; the test empties it. */
  billed: { model: string; usage: UsageMeaning }[]
}

export async function startStrictVendor(
  format: FakeFormat,
  { rules, chance }: { rules: Rules; chance: () => Chance },
): Promise<StrictVendor> {
  const authors = new Map<unknown, string>()
  const server = await startWireServer(signing(format, authors))
  onTestFinished(() => server.close())
  const vendor: StrictVendor = { server, refused: [], down: new Set(), billed: [] }
  server.script((request) => {
    const model = modelOf(request)
    if (vendor.down.has(model)) return { reply: overloaded }
    const body = fieldsOf(request.body)
    const problems = [...format.problems(request), ...rules(body, (proof) => authors.get(proof))]
    if (problems.length > 0) {
      vendor.refused.push(`${model}: ${problems.join('; ')}`)
      return { reply: refusal(problems.join('; ')) }
    }
    const script = randomAnswer(chance(), server.requests.length)
    vendor.billed.push({ model, usage: script.answer.usage })
    return script
  })
  return vendor
}

const overloaded = jsonReply(503, { error: { type: 'overloaded_error', message: 'Overloaded' } })

function refusal(message: string) {
  const error = { type: 'invalid_request_error', code: 'invalid_request', message }
  return jsonReply(400, { type: 'error', error })
}

function modelOf({ body }: RecordedRequest): string {
  return String(fieldsOf(body)['model'])
}

function randomAnswer(chance: Chance, nth: number): Extract<FakeScript, { answer: unknown }> {
  const promptTokens = 1_000 + chance.below(50_000)
  const cachedTokens = chance.below(promptTokens)
  const usage: UsageMeaning = {
    promptTokens,
    cachedTokens,
    cacheWriteTokens: 0,
    completionTokens: 1 + chance.below(900),
    reasoningTokens: 0,
  }
  const reasoning = chance.isTrue(0.8) ? ['I think ', `of ${nth}.`] : []
  if (chance.isTrue(0.25)) return { answer: answerOf({ reasoning, texts: ['Done.'], usage }) }
  const toolCalls = Array.from({ length: 1 + chance.below(2) }, () => ({
    id: `call_${nth}_${chance.below(1e9)}`,
    name: chance.pick(['Read', 'Edit', 'Bash'] as const),
    arguments: `{"path":"file ${nth}","command":"npm test"}`,
  }))
  return { answer: answerOf({ reasoning, toolCalls, usage }) }
}

/** The format with a proof of its own in each answer. */
function signing(format: FakeFormat, authors: Map<unknown, string>): FakeFormat {
  const signed = (text: string, request: RecordedRequest, proof: string) => {
    authors.set(proof, modelOf(request))
    return text
      .replaceAll('"signature":"signature"', `"signature":"${proof}"`)
      .replaceAll('encrypted-fake', proof)
      .replaceAll('rs_fake', `rs_${authors.size}`)
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
