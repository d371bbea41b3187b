/**
 * Random conversations and answers at every door, whole and streamed: each answer is of the type that the vendor
 * publishes. `MODELPORT_RANDOM_REQUESTS=1000` runs the long form.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChatMessage, ChatRequest } from '../../src/shared/chat.ts'
import { seeded, type Chance } from '../agents/random.ts'
import type { FakeModel } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'
import type { Feature } from '../wires/features.ts'
import { randomAnswer, randomRequest } from '../wires/random-conversation.ts'
import {
  problemsOfChunk,
  problemsOfCompletion,
  problemsOfMessageEvent,
  problemsOfResponse,
  problemsOfResponseEvent,
} from './vendor-types.ts'

const count = Number(process.env['MODELPORT_RANDOM_REQUESTS'] ?? 120)

let started: TestService

beforeAll(async () => {
  const ends: (() => Promise<void>)[] = []
  started = await startTestService({ models: { one: {} } }, (end) => ends.push(end))
  afterAll(async () => {
    for (const end of ends) await end()
  })
})

/** Carried by every door in these requests. */
const carried: readonly Feature[] = [
  'tools',
  'a system prompt',
  'a limit of tokens',
  'a temperature',
  'nucleus sampling',
  'an automatic choice of tools',
  'a required tool call',
  'a named tool',
]

function randomModel(chance: Chance): FakeModel {
  const { texts, reasoning, toolCalls } = randomAnswer(chance)
  return {
    text: texts.join(' '),
    chunks: 1 + chance.below(6),
    ...(reasoning.length > 0 && { reasoning: reasoning.join(' ') }),
    ...(toolCalls.length > 0 && {
      toolCalls: toolCalls.map(({ id, name, arguments: text }, index) => {
        const cut = chance.below(text.length)
        return { index, id, name, argumentPieces: [text.slice(0, cut), text.slice(cut)] }
      }),
    }),
    ...(toolCalls.length === 0 &&
      chance.isTrue(0.2) && { finishReason: chance.pick(['length', 'content_filter']) }),
    ...(chance.isTrue(0.2) && { usage: 'none' as const }),
  }
}

type Json = Record<string, unknown>

interface Door {
  path: string
  body: (chat: ChatRequest) => Json
  /** The violations of a whole answer, without `_meta`. */
  ofAnswer: (answer: Json) => readonly string[]
  ofEvent: (event: Json) => readonly string[]
}

const doors: Record<string, Door> = {
  chat: {
    path: 'v1/chat/completions',
    body: (chat) => ({ ...chat }),
    ofAnswer: (answer) => problemsOfCompletion(withoutReasoning(answer, 'message')),
    ofEvent: (chunk) => problemsOfChunk(withoutReasoning(chunk, 'delta')),
  },
  responses: {
    path: 'v1/responses',
    body: toResponses,
    ofAnswer: problemsOfResponse,
    ofEvent: problemsOfResponseEvent,
  },
  messages: {
    path: 'v1/messages',
    body: toMessages,
    // The first event of a stream has a whole message.
    ofAnswer: (message) => problemsOfMessageEvent({ type: 'message_start', message }),
    ofEvent: problemsOfMessageEvent,
  },
}

/** Reasoning is an extension of OpenAI's chat form that the vendor's types do not have. */
function withoutReasoning(answer: Json, name: 'message' | 'delta'): Json {
  const choices = (answer['choices'] as Json[]).map((choice) => {
    const {
      reasoning_content: _content,
      reasoning_details: _details,
      ...rest
    } = choice[name] as Json
    return { ...choice, [name]: rest }
  })
  return { ...answer, choices }
}

const functionsOf = (tools: NonNullable<ChatRequest['tools']>) =>
  tools.map((tool) => tool['function'] as Json)
const textOf = ({ content }: ChatMessage) => (typeof content === 'string' ? content : '')

function toResponses({ messages, tools, tool_choice, max_tokens, ...rest }: ChatRequest): Json {
  return {
    input: messages.flatMap((message) => toItems(message)),
    ...(tools && { tools: functionsOf(tools).map((called) => ({ type: 'function', ...called })) }),
    ...(tool_choice !== undefined && { tool_choice: flatChoice(tool_choice) }),
    ...(max_tokens !== undefined && { max_output_tokens: max_tokens }),
    ...sampling(rest),
  }
}

function toItems(message: ChatMessage): Json[] {
  const { role, tool_calls: calls = [], tool_call_id: callId } = message
  if (role === 'tool')
    return [{ type: 'function_call_output', call_id: callId, output: textOf(message) }]
  const items = calls.map(({ id, function: called }) => ({
    type: 'function_call',
    call_id: id,
    ...called,
  }))
  return textOf(message) === '' ? items : [{ role, content: textOf(message) }, ...items]
}

function flatChoice(choice: unknown): unknown {
  if (typeof choice === 'string') return choice
  return { type: 'function', name: (choice as { function: { name: string } }).function.name }
}

function toMessages({ messages, tools, tool_choice, max_tokens, ...rest }: ChatRequest): Json {
  const [first, ...others] = messages
  const hasSystem = first?.role === 'system'
  return {
    max_tokens: max_tokens ?? 1_024,
    ...(hasSystem && { system: textOf(first) }),
    messages: (hasSystem ? others : messages).map((message) => toTurn(message)),
    ...(tools && {
      tools: functionsOf(tools).map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: parameters,
      })),
    }),
    ...(tool_choice !== undefined && { tool_choice: anthropicChoice(tool_choice) }),
    ...sampling(rest),
  }
}

function toTurn(message: ChatMessage): Json {
  const { role, tool_calls: calls = [], tool_call_id: id } = message
  const text = textOf(message)
  if (role === 'tool') {
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] }
  }
  const uses = calls.map(({ id: callId, function: called }) => ({
    type: 'tool_use',
    id: callId,
    name: called?.name,
    input: JSON.parse(called?.arguments ?? '{}') as unknown,
  }))
  return { role, content: [...(text === '' ? [] : [{ type: 'text', text }]), ...uses] }
}

function anthropicChoice(choice: unknown): Json {
  if (choice === 'required') return { type: 'any' }
  if (choice === 'auto') return { type: 'auto' }
  return { type: 'tool', name: (choice as { function: { name: string } }).function.name }
}

/** In the range of both families. */
function sampling({ temperature, top_p }: Partial<ChatRequest>): Json {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
  }
}

function withoutMeta({ _meta, ...answer }: Json): Json {
  return answer
}

/** The events of a stream, without `_meta`. Those of chat have no names. */
function readEvents(text: string): Json[] {
  const data = text
    .split('\n')
    .filter((line) => line.startsWith('data: ') && !line.endsWith('[DONE]'))
  return data.map((line) => {
    const event = withoutMeta(JSON.parse(line.slice('data: '.length)) as Json)
    const { response } = event
    return response === undefined ? event : { ...event, response: withoutMeta(response as Json) }
  })
}

test.each(Object.entries(doors))(
  `${count} random requests: every answer of %s is of the vendor's types`,
  { timeout: 600_000 },
  async (name, door) => {
    const wrong: unknown[] = []
    for (let seed = 0; seed < count; seed += 1) {
      const chance = seeded(seed)
      started.fake.setModel('one', randomModel(chance))
      const chat = randomRequest(
        { chance, carries: (feature) => carried.includes(feature), reasoning: null },
        `Question ${seed} at ${name}`,
      )
      const isStreamed = chance.isTrue(0.5)
      const body = { ...door.body(chat), ...(isStreamed && { stream: true }) }
      const answer = await started.post(door.path, body)
      const problems =
        answer.status !== 200
          ? [await answer.text()]
          : isStreamed
            ? readEvents(await answer.text()).flatMap(door.ofEvent)
            : door.ofAnswer(withoutMeta((await answer.json()) as Json))
      if (problems.length > 0) wrong.push({ seed, isStreamed, problems: problems.slice(0, 3) })
    }
    expect(wrong.slice(0, 5)).toEqual([])
  },
)
