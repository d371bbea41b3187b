/** Errors that the engine itself finds. Callers read each message after the step's id. */
import { ServiceError } from '../errors.ts'
import type { CompiledStep } from './compiled.ts'

export function tooLong({ timeLimitMs }: CompiledStep): ServiceError {
  return unanswered(`it took longer than ${(timeLimitMs ?? 0) / 1000} s`)
}

export function unanswered(message: string): ServiceError {
  return new ServiceError('all_models_unavailable', message, {
    headers: { 'x-should-retry': 'false' },
  })
}

export function unfit(message: string): ServiceError {
  return new ServiceError('invalid_parameter', message)
}
