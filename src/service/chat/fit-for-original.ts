/**
 * Finds the models that can answer a request that needs something of one vendor or form: its own tools, what it stored,
 * or parts of messages that only providers of OpenAI's form get as they are.
 */
import type { ChatRequest } from '../../shared/chat/chat.ts'
import { ServiceError } from '../errors.ts'
import type { Candidate } from '../routing/candidate.ts'
import { modelName } from './attempts/adjust.ts'
import { sendsOriginal } from './attempts/original-call.ts'
import type { ChatCall } from './chat-call.ts'
import type { ChatDependencies } from './chat-dependencies.ts'

/** @throws ServiceError no_capable_model, invalid_parameter */
export function fitForOriginal(
  call: ChatCall,
  candidates: readonly Candidate[],
  { formOf }: Pick<ChatDependencies, 'formOf'>,
): readonly Candidate[] {
  const { original } = call
  if (candidates.length === 0) return candidates
  if (original === undefined) return fitForParts(call.body, candidates, formOf)
  const { required, stateField } = original
  if (required === null && stateField === null) return candidates
  const fit = candidates.filter((candidate) => sendsOriginal(call, candidate, formOf(candidate)))
  if (stateField !== null) checkState(stateField, candidates, fit)
  if (fit.length > 0 || required === null) return fit
  const { param, reason } = required
  throw new ServiceError('no_capable_model', `No model of this router can answer: ${reason}.`, {
    param,
  })
}

/**
 * The models whose vendor checks the calls of its answers come first while the client asks for that: without verdicts,
 * the client denies every action that it would have checked.
 */
export function checkingFirst<One extends { candidate: Candidate }>(
  call: ChatCall,
  ranked: readonly One[],
  { formOf }: Pick<ChatDependencies, 'formOf'>,
): readonly One[] {
  const { safeguards } = call.original?.fields ?? {}
  if (!Array.isArray(safeguards) || safeguards.length === 0) return ranked
  const checks = ({ candidate }: One) => sendsOriginal(call, candidate, formOf(candidate))
  return [...ranked.filter(checks), ...ranked.filter((one) => !checks(one))]
}

const knownRoles: ReadonlySet<string> = new Set(
  'system developer user assistant tool function'.split(' '),
)
const knownParts: ReadonlySet<string> = new Set(
  'text image_url input_audio file refusal'.split(' '),
)

/** @throws ServiceError no_capable_model */
function fitForParts(
  { messages }: ChatRequest,
  candidates: readonly Candidate[],
  formOf: ChatDependencies['formOf'],
): readonly Candidate[] {
  const unknown = unknownIn(messages)
  if (unknown === null) return candidates
  const fit = candidates.filter(
    (candidate) => formOf(candidate).takesChatForm?.(modelName(candidate.modelId)) === true,
  )
  if (fit.length > 0) return fit
  const { param, what } = unknown
  throw new ServiceError(
    'no_capable_model',
    `No model of this router can answer: only providers of OpenAI’s form take ${what} (${param}).`,
    { param },
  )
}

/** The first part or role that no other form carries; null without one. */
function unknownIn(messages: ChatRequest['messages']): { param: string; what: string } | null {
  for (const [index, { role, content }] of messages.entries()) {
    if (!knownRoles.has(role)) {
      return { param: `messages[${index}].role`, what: `the role${named(role)}` }
    }
    if (!Array.isArray(content)) continue
    const place = content.findIndex(({ type }) => !knownParts.has(type))
    const type = content[place]?.type
    if (type === undefined) continue
    const param = `messages[${index}].content[${place}].type`
    return { param, what: `parts of the type${named(type)}` }
  }
  return null
}

/** A name as vendors give them; anything else may be the prompt. */
function named(name: string): string {
  return /^[a-z][\w.-]{0,63}$/.test(name) ? ` "${name}"` : ''
}

/**
 * Checks that a stored answer is used at the provider that wrote it: no other knows it.
 * @throws ServiceError invalid_parameter
 */
function checkState(
  param: string,
  candidates: readonly Candidate[],
  fit: readonly Candidate[],
): void {
  const isOne = new Set(candidates.map(({ providerId }) => providerId)).size === 1
  if (isOne && fit.length === candidates.length) return
  throw new ServiceError(
    'invalid_parameter',
    `"${param}" works only where all models of the router are of one provider that stores answers. ` +
      'Send the whole conversation in "input", with "store": false.',
    { param },
  )
}
