import { z } from 'zod'
import {
  DashboardError,
  fileErrorWords,
  NotRunning,
  TrustFailed,
  SecretStoreError,
  ServiceError,
  startProblemOf,
  WebhookFailed,
} from '../service/service.ts'
import type { IpcFailure } from '../shared/ipc.ts'
import { reportBug } from './bugs.ts'
import { t } from '../shared/strings/strings.ts'

/**
 * An error in the form the window gets. Expected errors keep their message. Any other is a bug, whose
 * message may contain what the user typed, so the window gets a fixed sentence and the log the details.
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
  if (error instanceof WebhookFailed) {
    const message = t('The webhook failed: {message}.', { message: error.message })
    return { code: 'webhook_failed', message, field: null }
  }
  if (error instanceof TrustFailed) {
    return { code: 'trust_failed', message: error.message, field: null }
  }
  if (error instanceof NotRunning) {
    return { code: 'not_running', message: error.message, field: null }
  }
  if (error instanceof z.ZodError) return invalidInput(error)
  const fileWords = fileErrorWords(error)
  if (fileWords !== null) return { code: 'storage_unavailable', message: fileWords, field: null }
  const { problem, message } = startProblemOf(error)
  if (problem !== 'unexpected') return { code: 'storage_unavailable', message, field: null }
  reportBug(call, error)
  const unexpected = t('Something went wrong inside Modelport. See its log for details.')
  return { code: 'internal_error', message: unexpected, field: null }
}

function invalidInput({ issues }: z.ZodError): IpcFailure {
  const issue = issues[0]
  const field = issue === undefined || issue.path.length === 0 ? null : issue.path.join('.')
  return { code: 'invalid', message: issue?.message ?? t('The input is not valid.'), field }
}
