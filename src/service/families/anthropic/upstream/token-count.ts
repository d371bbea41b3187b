/** Anthropic's own count of a prompt: `POST /v1/messages/count_tokens`. */
import type { MessageCountTokensParams } from '@anthropic-ai/sdk/resources/messages'
import { withMembers } from '../../../providers/json-members.ts'
import type { ProviderRequest } from '../../../providers/provider.ts'
import type { TokenCountFormat } from '../../../providers/wire.ts'
import { readTokenCount } from '../../token-count.ts'
import { queryWith } from './original.ts'
import { translateRequest } from './request.ts'

export function tokenCount(query: string): TokenCountFormat {
  return {
    request(request) {
      const { original } = request
      return {
        path: `/v1/messages/count_tokens${queryWith(query, request)}`,
        body:
          original === undefined
            ? JSON.stringify(countedPart(request))
            : withMembers(original.text, { model: JSON.stringify(request.model) }),
        isStreamed: false,
        ...(original && { headers: original.headers }),
      }
    },
    read: (text) => readTokenCount(text, 'input_tokens'),
  }
}

function countedPart(request: ProviderRequest): MessageCountTokensParams {
  const { model, messages, system, tools, tool_choice, thinking } = translateRequest(request).body
  return {
    model,
    messages,
    ...(system && { system }),
    ...(tools && { tools }),
    ...(tool_choice && { tool_choice }),
    ...(thinking && { thinking }),
  }
}
