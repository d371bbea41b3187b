/**
 * A legacy text completion as the inner form: one message of the user. Chat models answer a prompt instead of continuing
 * it, so what only a continuing model can do is refused, with the way out.
 */
import type { ChatRequest } from '../../../../shared/chat/chat.ts'
import { ServiceError } from '../../../errors.ts'
import type { CompletionsRequest } from './request-schema.ts'

/** Fields of chat completions, where a body with them belongs. */
const chatFields = ['messages', 'tools', 'tool_choice', 'functions', 'function_call'] as const

/** @throws ServiceError invalid_parameter for what no chat model can do */
export function readCompletions(request: CompletionsRequest): ChatRequest {
  const { prompt, suffix, echo, best_of: bestOf, logprobs, ...rest } = request
  const content = promptOf(prompt)
  const misplaced = chatFields.find((name) => name in request)
  if (misplaced !== undefined) {
    refuse(misplaced, 'is not a field of text completions. Send it to /v1/chat/completions')
  }
  if (suffix !== undefined && suffix !== null && suffix !== '') {
    refuse('suffix', 'is not supported, because chat models cannot insert text. Leave it out')
  }
  const isEchoed = echo === true
  const wantsLogprobs = typeof logprobs === 'number'
  if (isEchoed && wantsLogprobs) {
    refuse('echo', 'has no log probabilities, because chat models give none for a prompt')
  }
  const count = rest.n ?? 1
  if (typeof bestOf === 'number' && bestOf !== count) {
    refuse('best_of', 'must be equal to "n". To choose among more answers, set "n"')
  }
  return {
    ...rest,
    messages: [{ role: 'user', content }],
    ...(wantsLogprobs && { logprobs: true, top_logprobs: logprobs }),
  }
}

/** The text that stands before each answer; empty without `echo`. */
export function echoedText({ prompt, echo }: CompletionsRequest): string {
  return echo === true ? promptOf(prompt) : ''
}

/** The prompt of a request. Several prompts are several requests: each is routed, counted and recorded on its own. */
function promptOf(prompt: CompletionsRequest['prompt']): string {
  const [first, ...others] = typeof prompt === 'string' ? [prompt] : prompt
  if (typeof first === 'number' || Array.isArray(first)) {
    return refuse('prompt', 'must be text, because each model has token ids of its own')
  }
  if (others.length > 0) {
    return refuse(
      'prompt',
      'has several prompts. Send one request for each, for example in parallel',
    )
  }
  if (first === undefined || first === '') return refuse('prompt', 'must not be empty')
  return first
}

function refuse(param: string, reason: string): never {
  throw new ServiceError('invalid_parameter', `"${param}" ${reason}.`, { param })
}
