import { z } from 'zod'
import { DashboardError, SecretStoreError, ServiceError } from '../service/service.ts'
import type { IpcFailure } from '../shared/ipc.ts'
import { reportBug } from './bugs.ts'

/**
 * What the window is told of an error. Expected ones speak for themselves; any other is a bug, whose
 * text may hold what the person typed: that goes to the log, without the call's input.
 * @param call  name of the call, for the log
 */
export function toFailure(error: unknown, call: string): IpcFailure {
  if (error instanceof DashboardError) {
    return { code: error.code, message: error.message, field: error.field }
  }
  if (error instanceof ServiceError) {
    return { code: error.code, message: error.message, field: error.param }
  }
  if (error instanceof SecretStoreError) {
    return { code: 'secrets_unavailable', message: error.message, field: null }
  }
  if (error instanceof z.ZodError) return invalidInput(error)
  reportBug(call, error)
  const message = 'Something went wrong inside Modelport. Its log says what.'
  return { code: 'internal_error', message, field: null }
}

function invalidInput({ issues }: z.ZodError): IpcFailure {
  const issue = issues[0]
  const field = issue === undefined || issue.path.length === 0 ? null : issue.path.join('.')
  return { code: 'invalid', message: issue?.message ?? 'The input is not valid.', field }
}
