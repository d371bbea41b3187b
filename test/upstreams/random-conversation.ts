/** Random requests and answers with everything that a wire carries, reproducible from a seed. */
import type { ChatMessage, ChatRequest } from '../../src/shared/chat/chat.ts'
import type { Chance } from '../agents/random.ts'
import { pdfBase64, pngBase64, tools, type Feature } from './features.ts'
import {
  answerOf,
  type AnswerMeaning,
  type ReasoningMemory,
  type ToolCallMeaning,
} from './harness.ts'

/** Texts that break careless readers: escapes, line ends, other scripts, pieces of protocols. */
const words = [
  'plain',
  'Grüße',
  '日本語',
  '🦜👩‍🔬',
  '"quoted"',
  'back\\slash',
  'two\nlines',
  'tab\tand\r\nreturn',
  '\u2028\u0001',
  'data: [DONE]',
  '}]}',
  '</think>',
  '\\u0041',
] as const

function randomText(chance: Chance, label: string): string {
  const count = 1 + chance.below(4)
  return [label, ...Array.from({ length: count }, () => chance.pick(words))].join(' ')
}

interface RequestOptions {
  chance: Chance
  /** Whether the wire carries a feature as it is. */
  carries: (feature: Feature) => boolean
  reasoning: ReasoningMemory | null
}

/** @param mark  the beginning of the first question */
export function randomRequest(options: RequestOptions, mark: string): ChatRequest {
  const { chance, carries } = options
  const offersTools = carries('tools') && chance.isTrue(0.6)
  const messages: ChatMessage[] = []
  if (carries('a system prompt') && chance.isTrue(0.5)) {
    messages.push({ role: 'system', content: randomText(chance, 'Rules:') })
  }
  messages.push({ role: 'user', content: randomText(chance, mark) })
  for (let count = chance.below(4); count > 0; count -= 1) {
    messages.push(...randomTurn({ ...options, offersTools }))
  }
  return {
    messages,
    ...(offersTools && { tools, ...randomChoice(chance, carries) }),
    ...randomParameters(chance, carries),
  }
}

interface TurnOptions extends RequestOptions {
  offersTools: boolean
}

/** An answer and what follows it: the results of its calls, or the next question. */
function randomTurn(options: TurnOptions): ChatMessage[] {
  const { chance, carries, offersTools } = options
  const later: ChatMessage[] =
    carries('system prompts in several places') && chance.isTrue(0.2)
      ? [{ role: 'developer', content: randomText(chance, 'From now on:') }]
      : []
  if (!offersTools || chance.isTrue(0.5)) {
    const content = randomText(chance, 'Answer:')
    const answer: ChatMessage = { role: 'assistant', content, ...randomReasoning(options) }
    return [answer, ...later, randomQuestion(options)]
  }
  const calls = Array.from({ length: 1 + chance.below(3) }, () => randomCall(chance))
  return [
    {
      role: 'assistant',
      content: chance.isTrue(0.5) ? randomText(chance, 'I will look:') : null,
      tool_calls: calls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      })),
      ...randomReasoning(options),
    },
    ...calls.map(({ id }) => randomResult(id, options)),
    ...(chance.isTrue(0.3) ? [randomQuestion(options)] : []),
  ]
}

/** Random reasoning; sometimes an item of another vendor, which the wire drops. */
function randomReasoning({ chance, reasoning }: TurnOptions): Partial<ChatMessage> {
  if (reasoning === null || chance.isTrue(0.5)) return {}
  const { format, types } = reasoning
  const own = Array.from({ length: 1 + chance.below(3) }, (_, index) => {
    const proof = Buffer.from(randomText(chance, 'Proof:')).toString('base64')
    const place = { format, index, id: `rs_${index}` }
    return chance.pick(types) === 'reasoning.text'
      ? { type: 'reasoning.text', text: randomText(chance, 'Thought:'), signature: proof, ...place }
      : { type: 'reasoning.encrypted', data: proof, ...place }
  })
  const other = { type: 'reasoning.encrypted', data: 'b3RoZXI=', format: 'another-vendor-v1' }
  return { reasoning_details: [...own, { ...other, index: own.length, id: 'another' }] }
}

function randomCall(chance: Chance): ToolCallMeaning {
  const city = chance.pick(words)
  const id = `call_${Math.floor(chance.next() * 1e9).toString(36)}`
  return { id, name: chance.pick(['weather', 'time']), arguments: JSON.stringify({ city }) }
}

function randomQuestion({ chance, carries }: TurnOptions): ChatMessage {
  const text = randomText(chance, 'Question:')
  if (chance.isTrue(0.5)) return { role: 'user', content: text }
  const content: Extract<ChatMessage['content'], unknown[]> = [{ type: 'text', text }]
  if (carries('an image') && chance.isTrue(0.5)) content.push(image)
  if (carries('an image at an address') && chance.isTrue(0.3)) content.push(linkedImage)
  if (carries('a document') && chance.isTrue(0.3)) content.unshift(document)
  return { role: 'user', content }
}

function randomResult(id: string, { chance, carries }: TurnOptions): ChatMessage {
  const text = randomText(chance, 'Result:')
  const isFailed = carries('a failed tool result') && chance.isTrue(0.2)
  const hasImage = carries('a tool result with an image') && chance.isTrue(0.2)
  return {
    role: 'tool',
    tool_call_id: id,
    content: hasImage ? [{ type: 'text', text }, image] : text,
    ...(isFailed && { is_error: true }),
  }
}

const image = {
  type: 'image_url' as const,
  image_url: { url: `data:image/png;base64,${pngBase64}` },
}
const linkedImage = {
  type: 'image_url' as const,
  image_url: { url: 'https://images.example/cat.png' },
}
const document = {
  type: 'file' as const,
  file: { filename: 'report.pdf', file_data: `data:application/pdf;base64,${pdfBase64}` },
}

type Carries = TurnOptions['carries']

function randomChoice(chance: Chance, carries: Carries): Partial<ChatRequest> {
  const choices: (Partial<ChatRequest> | null)[] = [
    {},
    carries('a forbidden tool call') ? { tool_choice: 'none' } : null,
    carries('an automatic choice of tools') ? { tool_choice: 'auto' } : null,
    carries('a required tool call') ? { tool_choice: 'required' } : null,
    carries('a named tool')
      ? { tool_choice: { type: 'function', function: { name: 'time' } } }
      : null,
    carries('one tool call at a time') ? { parallel_tool_calls: false } : null,
  ]
  return chance.pick(choices as [Partial<ChatRequest> | null]) ?? {}
}

function randomParameters(chance: Chance, carries: Carries): Partial<ChatRequest> {
  const parameters: [Feature, number, () => Partial<ChatRequest>][] = [
    ['a limit of tokens', 0.5, () => ({ max_tokens: 1_100 + chance.below(1_000) })],
    ['stop sequences', 0.2, () => ({ stop: ['END', '###'].slice(chance.below(2)) })],
    ['a temperature', 0.3, () => ({ temperature: chance.below(10) / 10 })],
    ['nucleus sampling', 0.2, () => ({ top_p: 0.9 })],
    ['a seed', 0.2, () => ({ seed: chance.below(1_000) })],
    ['JSON output', 0.1, () => ({ response_format: { type: 'json_object' } })],
    ['a reasoning effort', 0.2, () => ({ reasoning_effort: chance.pick(['low', 'high']) })],
    ['a user', 0.2, () => ({ user: 'user-1' })],
  ]
  return Object.assign(
    {},
    ...parameters.map(([feature, share, make]) =>
      carries(feature) && chance.isTrue(share) ? make() : {},
    ),
  ) as Partial<ChatRequest>
}

export function randomAnswer(chance: Chance): AnswerMeaning {
  const pieces = (share: number, label: string) =>
    chance.isTrue(share)
      ? Array.from({ length: 1 + chance.below(5) }, () => randomText(chance, label))
      : []
  const toolCalls = chance.isTrue(0.4)
    ? Array.from({ length: 1 + chance.below(3) }, () => randomCall(chance))
    : []
  const texts = pieces(toolCalls.length > 0 ? 0.5 : 1, 'Text')
  const cachedTokens = chance.below(50)
  const cacheWriteTokens = chance.below(50)
  const reasoningTokens = chance.below(50)
  return answerOf({
    texts,
    reasoning: pieces(0.4, 'Thought'),
    toolCalls,
    usage: {
      cachedTokens,
      cacheWriteTokens,
      reasoningTokens,
      promptTokens: cachedTokens + cacheWriteTokens + chance.below(1_000),
      completionTokens: reasoningTokens + 1 + chance.below(1_000),
    },
  })
}
