/** Checks input of the window and the command line against its schema. */
import type { z } from 'zod'
import { inputMessage } from '../../shared/chat/input-messages.ts'
import { DashboardError } from './dashboard.ts'

/** @throws DashboardError invalid, naming the first invalid field */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: inputMessage })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const field = [...(issue?.path ?? []), ...unknown].join('.')
  const message = issue?.message ?? 'The input is not valid.'
  throw new DashboardError('invalid', message, field === '' ? null : field)
}
