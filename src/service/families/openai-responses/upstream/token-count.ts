/** OpenAI's own count of a prompt: `POST /v1/responses/input_tokens`. */
import type { InputTokenCountParams } from 'openai/resources/responses/input-tokens'
import type { TokenCountFormat } from '../../../providers/wire.ts'
import { readTokenCount } from '../../token-count.ts'
import { toRequestBody } from './request.ts'

export const tokenCount: TokenCountFormat = {
  request(request) {
    const { model, input, instructions, tools, tool_choice, reasoning } = toRequestBody(
      request,
      false,
    )
    const counted = { model, input, instructions, tools, tool_choice, reasoning }
    return {
      path: '/responses/input_tokens',
      // Absent members are not written.
      body: JSON.stringify(counted satisfies Counted),
      isStreamed: false,
    }
  },
  read: (text) => readTokenCount(text, 'input_tokens'),
}

type Counted = { [Name in keyof InputTokenCountParams]: unknown }
