/** Saves and calls an agent over HTTPS, and sums up its ledger rows. */
import type { RequestRecord } from '../../src/shared/entities.ts'
import type { FakeModelScript } from '../fake-provider.ts'
import { hello, type TestService } from '../test-service.ts'

/** A step whose prompt is its own id, unless `more` overrides it. */
export const prompt = (id: string, more: object = {}) => ({ id, type: 'prompt', user: id, ...more })

/** Saves an agent of these steps under the name "test". */
export async function apply({ service }: TestService, steps: object[], more: object = {}) {
  await service.dashboard.applyAgent(JSON.stringify({ name: 'test', steps, ...more }))
}

/** A request to that agent. */
export const request = { model: 'agent:test', ...hello }

/** Repeats the question in angle brackets. */
export const echo: FakeModelScript = ({ body }) => {
  const messages = body?.['messages'] as { content: string }[] | undefined
  return { text: `<${messages?.at(-1)?.content ?? ''}>` }
}

/** The second step's prompt contains the first step's output. */
export const twoSteps = [
  prompt('first', { user: 'one {{ input }}' }),
  prompt('second', { needs: ['first'], user: 'two {{ steps.first.output }}' }),
]

export function sum(rows: readonly RequestRecord[], of: (row: RequestRecord) => number): number {
  return rows.reduce((total, row) => total + of(row), 0)
}
