/** Which models can answer a request that needs something of one vendor: its own tools, or what it stored. */
import { ServiceError } from '../errors.ts'
import type { Candidate } from '../routing/candidate.ts'
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
  if (original === undefined || candidates.length === 0) return candidates
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

/** A stored answer is known only to the provider that wrote it. @throws ServiceError invalid_parameter */
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
