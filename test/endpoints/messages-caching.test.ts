/** Ten turns of a coding session, as Claude Code sends them: the prompt's beginning must stay in the vendor's cache. */
import type { Anthropic } from '@anthropic-ai/sdk'
import { expect, test } from 'vitest'
import { anthropicFormat } from '../upstreams/anthropic/fake.ts'
import { openAiFormat } from '../upstreams/openai-chat/fake.ts'
import {
  countMarked,
  countPrefix,
  questions,
  requestsOfSession,
  resultOf,
  rules,
  startCodingSession,
  unmarkedPrompts,
  unstable,
  type CodingSession,
} from './coding-session.ts'

type Message = Anthropic.Messages.MessageParam
type Block = Anthropic.Messages.ContentBlockParam

const toolName = 'Bash'
const mark = { cache_control: { type: 'ephemeral' } } as const
const tools = [
  { name: toolName, description: 'Runs a command.', input_schema: { type: 'object' as const } },
  { name: 'Read', description: 'Reads a file.', input_schema: { type: 'object' as const } },
]
const system = [
  { type: 'text' as const, text: 'x-anthropic-billing-header: cc_version=1' },
  { type: 'text' as const, text: 'You write code.', ...mark },
  { type: 'text' as const, text: rules, ...mark },
]

/** Each question goes on until the model calls no tool. Everything that was said is sent again. */
async function code({ running }: CodingSession): Promise<void> {
  const messages: Message[] = []
  for (const question of questions) {
    messages.push({ role: 'user', content: [{ type: 'text', text: question }] })
    for (let results: Block[] | null = null; results === null || results.length > 0;) {
      const stream = running.anthropic().messages.stream({
        // As its own model is named; the router decides.
        model: 'auto',
        max_tokens: 1_000,
        system,
        tools,
        messages: markedAtEnd(messages),
      })
      const { content } = await stream.finalMessage()
      messages.push({ role: 'assistant', content })
      results = content.flatMap(resultsOf)
      if (results.length > 0) messages.push({ role: 'user', content: results })
    }
  }
}

/** The mark moves to the last block of the last message. */
function markedAtEnd(messages: readonly Message[]): Message[] {
  const before = messages.slice(0, -1)
  const [last] = messages.slice(-1)
  if (last?.role !== 'user' || typeof last.content === 'string') return [...messages]
  const end = last.content.at(-1)
  // Questions and results of tools take marks.
  if (end?.type !== 'text' && end?.type !== 'tool_result') return [...messages]
  return [...before, { role: 'user', content: [...last.content.slice(0, -1), { ...end, ...mark }] }]
}

function resultsOf(block: Anthropic.Messages.ContentBlock): Block[] {
  if (block.type !== 'tool_use') return []
  return [{ type: 'tool_result', tool_use_id: block.id, content: resultOf(block.id) }]
}

test('to Anthropic, every block of a prompt stays, and 90 % of the tokens are read', async () => {
  const session = await startCodingSession({
    format: anthropicFormat,
    count: countMarked(),
    type: 'anthropic',
    path: '',
    model: 'claude-sonnet-4-5',
    toolName,
  })

  await code(session)

  const { server, read, all } = session
  expect(server.problems).toEqual([])
  expect(server.requests).toHaveLength(requestsOfSession)
  expect(read / all).toBeGreaterThanOrEqual(0.9)
  expect(unstable(unmarkedPrompts(session))).toEqual([])
})

test('to OpenAI’s chat completions, every prompt begins with all bytes of the one before', async () => {
  const session = await startCodingSession({
    format: openAiFormat,
    count: countPrefix('messages'),
    type: 'openai',
    path: '/v1',
    model: 'gpt-4.1',
    toolName,
  })

  await code(session)

  const { server, read, all } = session
  expect(server.problems).toEqual([])
  expect(server.requests).toHaveLength(requestsOfSession)
  expect(read / all).toBeGreaterThanOrEqual(0.9)
  const prompts = server.requests.map(({ body }) =>
    JSON.stringify((body as { messages: unknown }).messages).slice(0, -1),
  )
  expect(unstable(prompts)).toEqual([])
  const toolLists = new Set(
    server.requests.map(({ body }) => JSON.stringify((body as { tools: unknown }).tools)),
  )
  expect(toolLists.size).toBe(1)
})
