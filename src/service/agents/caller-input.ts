/** A caller's input for an agent. Agents accept text and no parameters of a model. */
import type { ChatMessage, ChatRequest } from '../../shared/chat/chat.ts'
import type { Adjustment } from '../../shared/models/model-abilities.ts'
import { ServiceError } from '../errors.ts'
import type { Scope } from './templates.ts'

/** @throws ServiceError invalid_parameter, naming the field */
export function callerInput(body: ChatRequest): Pick<Scope, 'input' | 'messages'> {
  refuseForModels(body)
  const messages = body.messages.map(({ role, content }) => ({ role, content: textOf(content) }))
  const input = messages.findLast(({ role }) => role === 'user')?.content
  if (input === undefined) {
    throw new ServiceError('invalid_parameter', 'Agents need a message with the role "user".', {
      param: 'messages',
    })
  }
  return { input, messages }
}

function refuseForModels(body: ChatRequest): void {
  const { tools, functions, modalities, n, logprobs, response_format: format } = body
  const used = {
    tools: (tools?.length ?? 0) > 0,
    functions: Array.isArray(functions) && functions.length > 0,
    modalities: Array.isArray(modalities) && modalities.some(isNoText),
    n: (n ?? 1) > 1,
    logprobs: logprobs === true,
    response_format: (format?.type ?? 'text') !== 'text',
  }
  const refused = Object.entries(used).find(([, isUsed]) => isUsed)
  if (!refused) return
  const [param] = refused
  throw new ServiceError(
    'invalid_parameter',
    `Agents do not support "${param}". Set it in the steps of the agent’s definition if they support it.`,
    { param },
  )
}

function isNoText(modality: unknown): boolean {
  return String(modality).toLowerCase() !== 'text'
}

function textOf(content: ChatMessage['content']): string {
  if (typeof content === 'string') return content
  return (content ?? [])
    .map((part) => {
      const { text } = part
      if (part.type === 'text' && typeof text === 'string') return text
      throw new ServiceError(
        'invalid_parameter',
        'Agents accept text only, no images, audio or files.',
        {
          param: 'messages',
        },
      )
    })
    .join('')
}

/** Parameters of a model request. Agents ignore them, because the definition sets them for each step. */
const leftOut = [
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'stop',
  'seed',
  'presence_penalty',
  'frequency_penalty',
  'logit_bias',
  'reasoning_effort',
  'verbosity',
] as const

export function leftOutOf(body: ChatRequest): Adjustment[] {
  return leftOut
    .filter((parameter) => (body[parameter] ?? null) !== null)
    .map((parameter) => ({
      parameter,
      change: 'left_out',
      reason: 'the agent’s definition sets the parameters of each step',
    }))
}
