/** The family of clients that a request belongs to, from its head alone: refusals before any route need it. */
import type { IncomingHttpHeaders } from 'node:http'

export type RequestForm =
  | 'chat'
  | 'completions'
  | 'embeddings'
  | 'messages'
  | 'token_count'
  | 'responses'

const familyAddress =
  /^\/api\/router\/[^/?]+(?:\/v1)?\/(embeddings|messages\/count_tokens|messages|responses|models)(?:[/?]|$)/

const forms: Readonly<Record<string, RequestForm>> = {
  embeddings: 'embeddings',
  messages: 'messages',
  'messages/count_tokens': 'token_count',
  responses: 'responses',
}

/** @param target  as in the request line */
export function formOf(target: string, headers: IncomingHttpHeaders): RequestForm {
  const [, address = ''] = familyAddress.exec(target) ?? []
  if (address === 'models') return headers['anthropic-version'] === undefined ? 'chat' : 'messages'
  return forms[address] ?? 'chat'
}

/** Anthropic's clients differ in where their key is and in what errors look like. */
export function isAnthropics(form: RequestForm): boolean {
  return form === 'messages' || form === 'token_count'
}
