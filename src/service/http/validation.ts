/** The body's checks: an invalid body gets a 400 that names the field and the fix. Nothing is corrected. */
import type { ErrorObject } from 'ajv'
import type { ChatMessage, ChatRequest } from '../../shared/chat.ts'
import { ServiceError } from '../errors.ts'
import type { CompletionsRequest } from '../doors/completions/request-schema.ts'
import type { CountRequest, GenerateRequest } from '../doors/gemini/request-schema.ts'
import type { MessagesRequest, TokenCountRequest } from '../doors/messages/request-schema.ts'
import type { ResponsesRequest } from '../doors/responses/request-schema.ts'
import { bodyValidator } from './body-validator.ts'
import { hasMoreValuesThan } from './json-values.ts'
import type { RequestForm } from './request-form.ts'
import { requestSchemas } from './request-schemas.ts'
import { refuseUnsafeFields } from './unsafe-fields.ts'

const chatRequests = bodyValidator<ChatRequest>(requestSchemas.chat)
const completionRequests = bodyValidator<CompletionsRequest>(requestSchemas.completions)
const messageRequests = bodyValidator<MessagesRequest>(requestSchemas.messages)
const tokenCountRequests = bodyValidator<TokenCountRequest>(requestSchemas.token_count)
const geminiRequests = bodyValidator<GenerateRequest>(requestSchemas.gemini)
const geminiCounts = bodyValidator<CountRequest>(requestSchemas.gemini_count)
const responseRequests = bodyValidator<ResponsesRequest>(requestSchemas.responses)

/** Deeper than any real tool schema; a body with much deeper nesting could not be serialized again. */
const deepestNesting = 500

/** A conversation of 1,000 messages with its tools has about 15,000 values. */
const mostValues = 50_000

/**
 * Clients such as LangChain send texts as lists of tokens. OpenAI takes 300,000 tokens in one request. Counting, parsing
 * and checking 310,000 tokens takes 10 ms; as many members of objects take 150 ms.
 */
const mostTokens = 320_000

/** Before the body is parsed. @throws ServiceError invalid_parameter */
export function refuseCrowdedBody(text: string, form: RequestForm): void {
  const most = form === 'embeddings' ? mostTokens : mostValues
  if (!hasMoreValuesThan(most, text)) return
  throw new ServiceError(
    'invalid_parameter',
    `The body has more than ${most} values (members of objects and items of lists).`,
  )
}

/** @throws ServiceError missing_required_parameter, invalid_parameter */
export function checkChatBody(body: unknown): asserts body is ChatRequest {
  if (!chatRequests.accepts(body)) throw validationError(chatRequests.errors())
  refuseDeepBody(body)
  body.messages.forEach(refuseUnfitMessage)
  refuseUnsafeFields(body)
}

/** @throws ServiceError missing_required_parameter, invalid_parameter */
export function checkCompletionsBody(body: unknown): asserts body is CompletionsRequest {
  if (!completionRequests.accepts(body)) throw validationError(completionRequests.errors())
  refuseDeepBody(body)
  refuseUnsafeFields(body)
}

/** @throws ServiceError missing_required_parameter, invalid_parameter */
export function checkMessagesBody(body: unknown): asserts body is MessagesRequest {
  if (!messageRequests.accepts(body)) throw validationError(messageRequests.errors())
  refuseDeepBody(body)
  refuseUnsafeFields(body, ['fallbacks'])
}

/** @throws ServiceError missing_required_parameter, invalid_parameter */
export function checkTokenCountBody(body: unknown): asserts body is TokenCountRequest {
  if (!tokenCountRequests.accepts(body)) throw validationError(tokenCountRequests.errors())
  refuseDeepBody(body)
  refuseUnsafeFields(body, ['fallbacks'])
}

/** @throws ServiceError missing_required_parameter, invalid_parameter */
export function checkResponsesBody(body: unknown): asserts body is ResponsesRequest {
  if (!responseRequests.accepts(body)) throw validationError(responseRequests.errors())
  refuseDeepBody(body)
  refuseUnsafeFields(body)
}

/** @throws ServiceError missing_required_parameter, invalid_parameter */
export function checkGeminiBody(body: unknown): asserts body is GenerateRequest {
  if (!geminiRequests.accepts(body)) throw validationError(geminiRequests.errors())
  refuseDeepBody(body)
  refuseUnsafeFields(body)
}

/** @throws ServiceError missing_required_parameter, invalid_parameter */
export function checkGeminiCountBody(body: unknown): asserts body is CountRequest {
  if (!geminiCounts.accepts(body)) throw validationError(geminiCounts.errors())
  refuseDeepBody(body)
  refuseUnsafeFields(body)
}

/** @throws ServiceError invalid_parameter */
export function refuseDeepBody(body: object): void {
  if (!isDeeperThan(body, deepestNesting)) return
  throw new ServiceError(
    'invalid_parameter',
    `The body is nested more than ${deepestNesting} levels deep.`,
  )
}

/** @throws ServiceError missing_required_parameter */
function refuseUnfitMessage(message: ChatMessage, index: number): void {
  const path = `messages[${index}]`
  const { role, content, tool_calls: calls } = message
  if (content === undefined || (content === null && role !== 'assistant' && role !== 'function')) {
    const isCall = role === 'assistant' && (calls?.length || message['function_call'])
    if (!isCall && !(role === 'assistant' && message['audio'])) throw missing(`${path}.content`)
  }
  calls?.forEach((call, place) => {
    if (call[call.type] === undefined) throw missing(`${path}.tool_calls[${place}].${call.type}`)
  })
}

function missing(field: string): ServiceError {
  return new ServiceError('missing_required_parameter', `"${field}" is required.`, { param: field })
}

function isDeeperThan(value: object, levels: number): boolean {
  if (levels === 0) return true
  const children: unknown[] = Object.values(value)
  for (const child of children) {
    // Most values are strings and numbers, which need no call.
    if (typeof child === 'object' && child !== null && isDeeperThan(child, levels - 1)) return true
  }
  return false
}

/** Turns the validator's finding into an error that names the field. */
export function validationError(errors: readonly ErrorObject[]): ServiceError {
  const error = mostUsefulError(errors)
  const field = fieldOf(error.instancePath)
  if (error.keyword === 'required') {
    return missing([field, String(error.params['missingProperty'])].filter(Boolean).join('.'))
  }
  const subject = field === '' ? 'The body' : `"${field}"`
  const param = field === '' ? {} : { param: field }
  return new ServiceError('invalid_parameter', `${subject} ${wordsOf(error, errors)}.`, param)
}

/**
 * The most useful of the failures that the branches of a union report. The deepest is the branch that the value
 * nearly matched. Among equally deep ones a missed bound says more than a wrong type, and "no type fits" says more
 * than one type that does not.
 */
function mostUsefulError(errors: readonly ErrorObject[]): ErrorObject {
  const depth = Math.max(...errors.map(depthOf))
  const deepest = errors.filter((error) => depthOf(error) === depth)
  const [first] = [
    ...deepest.filter(({ keyword }) => keyword !== 'type' && keyword !== 'anyOf'),
    ...deepest.filter(({ keyword }) => keyword === 'anyOf'),
    ...deepest,
  ]
  // The validator calls this only after a failure.
  if (!first) throw new Error('there is no validation error')
  return first
}

function depthOf({ instancePath }: ErrorObject): number {
  return instancePath.split('/').length
}

function wordsOf(error: ErrorObject, errors: readonly ErrorObject[]): string {
  const { keyword, params, message } = error
  const allowed: unknown = params['allowedValues']
  if (keyword === 'enum' && Array.isArray(allowed)) return `must be one of ${allowed.join(', ')}`
  if (keyword === 'minItems') return 'must not be empty'
  if (keyword === 'anyOf' || keyword === 'type') return `must be ${typesAt(error, errors)}`
  return message ?? 'has a value that is not accepted'
}

const typeWords: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  integer: 'an integer',
  number: 'a number',
  object: 'an object',
  string: 'a string',
}

/** `a string or an array`: the types of all branches of the union that the value missed. */
function typesAt({ instancePath }: ErrorObject, errors: readonly ErrorObject[]): string {
  const types = errors
    .filter((error) => error.keyword === 'type' && error.instancePath === instancePath)
    .flatMap(({ params }) => String(params['type']).split(','))
    .flatMap((type) => typeWords[type] ?? [])
  return [...new Set(types)].join(' or ')
}

/** `/messages/0/role` as callers write it: `messages[0].role`. */
function fieldOf(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), '')
}

function join(path: string, part: string): string {
  return path === '' ? part : `${path}.${part}`
}
