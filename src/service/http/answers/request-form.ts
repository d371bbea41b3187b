/** The family of clients that a request belongs to, from its head alone: refusals before any route need it. */
import type { IncomingHttpHeaders } from 'node:http'
import type { RefusedDoor } from '../../../shared/requests/refusal.ts'
import type { RequestForm } from './request-forms.ts'

const familyAddress =
  /^\/api\/router\/[^/?]+(?:\/v1)?\/(embeddings|messages\/count_tokens|messages|responses|models)(?:[/?]|$)/

const forms: Readonly<Record<string, RequestForm>> = {
  embeddings: 'embeddings',
  messages: 'messages',
  'messages/count_tokens': 'token_count',
  responses: 'responses',
}

/** Google's newer SDKs use `/v1`, where the address of one model is that of OpenAI's list without a method. */
const geminiAddress =
  /^\/api\/router\/[^/?]+(?:\/v1beta(?:\/[^?]*)?|(?:\/v1)?\/models\/[^?]*:(?:g|streamG)enerateContent|(?:\/v1)?\/models\/[^?]*:countTokens)(?:\?|$)/

/** @param target  as in the request line */
export function formOf(target: string, headers: IncomingHttpHeaders): RequestForm {
  if (geminiAddress.test(target)) {
    return /:countTokens(?:\?|$)/.test(target) ? 'gemini_count' : 'gemini'
  }
  const [, address = ''] = familyAddress.exec(target) ?? []
  if (address === 'models') return headers['anthropic-version'] === undefined ? 'chat' : 'messages'
  return forms[address] ?? 'chat'
}

const otherAddress =
  /^\/api\/router\/[^/?]+(?:\/v1)?\/(chat\/completions|completions|models|requests|openapi\.json)(?:[/?]|$)/

const otherDoors: Readonly<Record<string, RefusedDoor>> = {
  'chat/completions': 'chat',
  completions: 'completions',
  models: 'models',
  requests: 'requests',
  'openapi.json': 'openapi',
}

/** What a request called, and the id of a router that may exist. @param target  as in the request line */
export function doorOf(target: string): { door: RefusedDoor; routerId: string } {
  const [, routerId = ''] = /^\/api\/router\/([^/?]+)/.exec(target) ?? []
  const form = formOf(target, {})
  if (form !== 'chat') return { door: form, routerId }
  const [, address = ''] = otherAddress.exec(target) ?? []
  const elsewhere = /^\/metrics\/?(\?|$)/.test(target) ? 'metrics' : 'other'
  return { door: otherDoors[address] ?? elsewhere, routerId }
}
