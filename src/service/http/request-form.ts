/** The family of clients that a request belongs to, from its head alone: refusals before any route need it. */
import type { IncomingHttpHeaders } from 'node:http'

export type RequestForm = 'chat' | 'completions' | 'messages' | 'token_count'

const messagesAddress = /^\/api\/router\/[^/?]+(?:\/v1)?\/messages(\/count_tokens)?(?:[/?]|$)/
const modelsAddress = /^\/api\/router\/[^/?]+(?:\/v1)?\/models(?:[/?]|$)/

/** @param target  as in the request line */
export function formOf(target: string, headers: IncomingHttpHeaders): RequestForm {
  const found = messagesAddress.exec(target)
  if (found !== null) return found[1] === undefined ? 'messages' : 'token_count'
  const isAnthropic = headers['anthropic-version'] !== undefined && modelsAddress.test(target)
  return isAnthropic ? 'messages' : 'chat'
}
