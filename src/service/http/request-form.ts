/** The family of clients that an address serves, from the request line alone: refusals before any route need it. */

export type RequestForm = 'chat' | 'messages' | 'token_count'

const messagesAddress = /^\/api\/router\/[^/?]+(?:\/v1)?\/messages(\/count_tokens)?(?:[/?]|$)/

/** @param target  as in the request line */
export function formOf(target: string): RequestForm {
  const found = messagesAddress.exec(target)
  if (found === null) return 'chat'
  return found[1] === undefined ? 'messages' : 'token_count'
}
