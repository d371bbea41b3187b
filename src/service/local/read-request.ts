/** Reads the fields of a chat request that local models support: text, and how to choose the next token. */
import { z } from 'zod'
import type { ChatMessage, ChatRequest } from '../../shared/chat/chat.ts'
import { ProviderError } from '../providers/provider.ts'
import type { RunnableModel } from './local-model.ts'
import type { Generation, PromptMessage } from './protocol.ts'

/** Tokens are seldom longer; far longer text is refused before the tokenizer has to count it. */
const charactersPerTokenAtMost = 32

/**
 * The built-in model's maximum answer without `max_tokens`, because a model this small never ends some answers.
 * Other models may fill their context. docs/api.md says so.
 */
const builtInMaxTokens = 1024

/**
 * The default system text of SmolLM2's chat template, without the model's name. With the name, its 4-bit
 * weights answer "What is the capital of France?" in an endless French loop.
 */
const builtInSystemText = 'You are a helpful AI assistant.'

type RequestedModel = Pick<RunnableModel, 'name' | 'contextTokens' | 'isBuiltIn'>

/** @throws ProviderError `request` for unsupported fields, and for text that cannot fit */
export function readRequest(body: ChatRequest, model: RequestedModel): Generation {
  const { isBuiltIn, contextTokens } = model
  refuseUnsupported(body)
  const messages = body.messages.map(readMessage)
  if (isBuiltIn && !messages.some(({ role }) => role === 'system')) {
    messages.unshift({ role: 'system', text: builtInSystemText })
  }
  const characters = messages.reduce((sum, { text }) => sum + text.length, 0)
  if (characters > contextTokens * charactersPerTokenAtMost) throw tooLong(model)
  return {
    messages,
    maxTokens:
      body.max_completion_tokens ?? body.max_tokens ?? (isBuiltIn ? builtInMaxTokens : null),
    // The specification's default; many models have a lower one.
    temperature: body.temperature ?? 1,
    topP: body.top_p ?? null,
    seed: body.seed ?? null,
    stop: [body.stop ?? []].flat().filter((text) => text !== ''),
    presencePenalty: body.presence_penalty ?? 0,
    frequencyPenalty: body.frequency_penalty ?? 0,
    json: readJson(body.response_format),
    endsLoops: isBuiltIn,
    mayReason: body.reasoning_effort !== 'none',
  }
}

/** @param promptTokens  counted by the model's tokenizer, if it was used */
export function tooLong(model: RequestedModel, promptTokens?: number): ProviderError {
  const size =
    promptTokens === undefined ? 'The prompt is' : `The prompt is ${promptTokens} tokens,`
  return new ProviderError(
    'request',
    `${size} too long: ${model.name} accepts ${model.contextTokens} tokens, including its answer.`,
    { isTooLong: true },
  )
}

function refuseUnsupported(body: ChatRequest): void {
  const asked = {
    tools: (body.tools?.length ?? 0) > 0,
    'several answers at once': (body.n ?? 1) > 1,
    logprobs: body.logprobs === true,
  }
  const refused = Object.entries(asked).find(([, isAsked]) => isAsked)
  if (refused) throw cannot(refused[0])
}

function readJson(format: ChatRequest['response_format']): Generation['json'] {
  if (format?.type === 'json_object') return { schema: null }
  if (format?.type !== 'json_schema') return null
  const wanted = wantedSchema.safeParse(format['json_schema'])
  if (wanted.success) return wanted.data
  throw new ProviderError('request', 'response_format.json_schema.schema must be an object.', {
    isUnsent: true,
  })
}

const wantedSchema = z.object({ schema: z.record(z.string(), z.unknown()) })

const roles: ReadonlyMap<string, PromptMessage['role']> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
])

function readMessage(message: ChatMessage): PromptMessage {
  const { role, content } = message
  const known = roles.get(role)
  if (known === undefined)
    throw cannot(role === 'tool' || role === 'function' ? 'tools' : 'this role')
  return { role: known, text: readText(content ?? '') }
}

function readText(content: NonNullable<ChatMessage['content']>): string {
  if (typeof content === 'string') return content
  return content
    .map((part) => {
      const text = part.type === 'refusal' ? part['refusal'] : part['text']
      if ((part.type !== 'text' && part.type !== 'refusal') || typeof text !== 'string')
        throw cannot('images, audio or files')
      return text
    })
    .join('')
}

function cannot(what: string): ProviderError {
  return new ProviderError('request', `Local models cannot do ${what}.`, { isUnsent: true })
}
