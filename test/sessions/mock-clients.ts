/** Coding agents that send each step with all before it, as Claude Code, Codex and opencode do. */
import { APIError as AnthropicError } from '@anthropic-ai/sdk'
import type { MessageCreateParamsBase, MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type OpenAI from 'openai'
import { APIError as OpenAiError } from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import type { Chance } from '../agents/random.ts'
import type { TestService } from '../test-service.ts'

export interface MockClient {
  /** Sends the next step. @returns the status; a failed step is sent again by the next call */
  step(): Promise<number>
}

interface ClientOptions {
  started: TestService
  session: string
  chance: Chance
}

export type StartClient = (options: ClientOptions) => MockClient

const parameters = { type: 'object' as const, properties: { path: { type: 'string' } } }
const task = 'Add a retry to the upload.'
const next = 'Now add a test.'
/** Of a test that failed, too. */
const result = 'A line of the file: 2 failed.'
const instructions = 'You are an agent that works on a repository. '.repeat(20)

/** @returns the status of the error */
async function statusOf(send: () => Promise<void>): Promise<number> {
  try {
    await send()
    return 200
  } catch (error) {
    const isAnswer = error instanceof AnthropicError || error instanceof OpenAiError
    if (!isAnswer || typeof error.status !== 'number') throw error
    return error.status
  }
}

type ClaudeForm = Pick<MessageCreateParamsBase, 'thinking' | 'output_config'> & {
  temperature?: number
}

/** What Claude Code sends depends on the generation of the model that it believes to ask. */
const claudeForms: [ClaudeForm, ...ClaudeForm[]] = [
  { thinking: { type: 'enabled', budget_tokens: 2_000 } },
  { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
  { thinking: { type: 'adaptive' } },
  { thinking: { type: 'disabled' } },
  { temperature: 0.5 },
]

export const claudeCode: StartClient = ({ started, session, chance }) => {
  const form = chance.pick(claudeForms)
  const messages: MessageParam[] = [{ role: 'user', content: task }]
  const headers = {
    'user-agent': 'claude-cli/2.1.330 (external, cli)',
    'x-claude-code-session-id': session,
  }
  return {
    step: () =>
      statusOf(async () => {
        const params: MessageCreateParamsBase = {
          model: 'auto',
          max_tokens: 8_000,
          system: instructions,
          tools: [{ name: 'Read', description: 'Reads.', input_schema: parameters }],
          messages,
          ...form,
        }
        const api = started.anthropic().messages
        const { content } = chance.isTrue(0.5)
          ? await api.stream(params, { headers }).finalMessage()
          : await api.create({ ...params, stream: false }, { headers })
        const calls = content.filter((block) => block.type === 'tool_use')
        const results = calls.map(
          ({ id }) => ({ type: 'tool_result', tool_use_id: id, content: result }) as const,
        )
        const answer = content as MessageParam['content']
        messages.push({ role: 'assistant', content: answer })
        messages.push({ role: 'user', content: calls.length === 0 ? next : results })
      }),
  }
}

export const codex: StartClient = ({ started, session, chance }) => {
  const input: ResponseInputItem[] = [{ role: 'user', content: task }]
  const headers = {
    'user-agent': 'codex_cli_rs/0.169.0',
    'session-id': session,
    'thread-id': session,
  }
  return {
    step: () =>
      statusOf(async () => {
        const params = {
          model: 'auto',
          instructions,
          input,
          store: false,
          include: ['reasoning.encrypted_content' as const],
          reasoning: { effort: 'medium' as const },
          tools: [{ type: 'function' as const, name: 'Read', parameters, strict: false }],
        }
        const api = started.openai().responses
        const output = chance.isTrue(0.5)
          ? await streamedOutput(await api.create({ ...params, stream: true }, { headers }))
          : (await api.create(params, { headers })).output
        // What it answered is sent back as it came.
        input.push(...(output as ResponseInputItem[]))
        const calls = output.filter((item) => item.type === 'function_call')
        for (const { call_id } of calls) {
          input.push({ type: 'function_call_output', call_id, output: result })
        }
        if (calls.length === 0) input.push({ role: 'user', content: next })
      }),
  }
}

/** The SDK's own helper adds fields to the items. */
async function streamedOutput(events: AsyncIterable<OpenAI.Responses.ResponseStreamEvent>) {
  let output: OpenAI.Responses.ResponseOutputItem[] | null = null
  for await (const event of events) {
    if (event.type === 'response.completed') ({ output } = event.response)
  }
  if (output === null) throw new Error('the stream ended early')
  return output
}

export const opencode: StartClient = ({ started, session, chance }) => {
  const keepsReasoning = chance.isTrue(0.5)
  const messages: ChatCompletionMessageParam[] = [
    { role: 'system', content: instructions },
    { role: 'user', content: task },
  ]
  const headers = { 'user-agent': 'opencode/1.18.0', 'x-session-id': session }
  return {
    step: () =>
      statusOf(async () => {
        const answer = await started.openai().chat.completions.create(
          {
            model: 'auto',
            messages,
            reasoning_effort: 'medium',
            tools: [{ type: 'function', function: { name: 'Read', parameters } }],
          },
          { headers },
        )
        const [choice] = answer.choices
        if (choice === undefined) throw new Error('the answer has no choice')
        const { role, content, tool_calls } = choice.message
        const calls = tool_calls ?? []
        const plain = { role, content, ...(calls.length > 0 && { tool_calls: calls }) }
        messages.push(keepsReasoning ? choice.message : plain)
        for (const { id } of calls)
          messages.push({ role: 'tool', tool_call_id: id, content: result })
        if (calls.length === 0) messages.push({ role: 'user', content: next })
      }),
  }
}
