/** Ten turns of a coding session, as Codex sends them: the prompt's beginning must stay in the vendor's cache. */
import type { OpenAI } from 'openai'
import { expect, test } from 'vitest'
import { anthropicFormat } from '../upstreams/anthropic/fake.ts'
import { responsesFormat } from '../upstreams/openai-responses/fake.ts'
import { codeMode } from './codex-requests.ts'
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

type Item = OpenAI.Responses.ResponseInputItem

const toolName = 'functions__exec'

/** Each question goes on until the model calls no tool. Everything that was said is sent again. */
async function code({ running }: CodingSession): Promise<void> {
  const [tools] = codeMode.input
  const input: unknown[] = [tools, { role: 'developer', content: rules }]
  for (const question of questions) {
    input.push({ type: 'message', role: 'user', content: question })
    for (let results: object[] | null = null; results === null || results.length > 0;) {
      const output = await answerTo(running.openai(), input)
      results = output.flatMap(resultsOf)
      input.push(...output, ...results)
    }
  }
}

/** The answer as Codex reads it: each item when it is done. */
async function answerTo(
  { responses }: OpenAI,
  input: readonly unknown[],
): Promise<OpenAI.Responses.ResponseOutputItem[]> {
  const events = await responses.create({
    model: 'auto',
    // The items are of Codex's shapes.
    input: input as Item[],
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'session',
    store: false,
    stream: true,
  })
  const output: OpenAI.Responses.ResponseOutputItem[] = []
  for await (const event of events) {
    if (event.type === 'response.output_item.done') output.push(event.item)
  }
  return output
}

function resultsOf(item: OpenAI.Responses.ResponseOutputItem): object[] {
  if (item.type !== 'function_call' && item.type !== 'custom_tool_call') return []
  const output = [{ type: 'input_text', text: resultOf(item.call_id) }]
  return [{ type: `${item.type}_output`, call_id: item.call_id, output }]
}

test('to OpenAI, every prompt begins with all bytes of the one before, and 90 % are read', async () => {
  const session = await startCodingSession({
    format: responsesFormat,
    count: countPrefix('input'),
    type: 'openai',
    path: '/v1',
    model: 'gpt-5.5',
    toolName,
  })

  await code(session)

  const { server, read, all } = session
  expect(server.problems).toEqual([])
  expect(server.requests).toHaveLength(requestsOfSession)
  expect(read / all).toBeGreaterThanOrEqual(0.9)
  const prompts = server.requests.map(({ text }) => text.slice(0, text.indexOf('],"include"')))
  expect(unstable(prompts)).toEqual([])
})

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
