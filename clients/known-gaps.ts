/** Requirements of the conformance suites that Modelport does not meet, each with its reason. */
import type { Door } from './check.ts'

export interface Failure {
  suite: string
  door: Door
  /** The suite's own name of the test. */
  id: string
  message: string
}

interface Gap {
  suite: string
  id: RegExp
  message: RegExp
  reason: string
}

const gaps: readonly Gap[] = [
  {
    suite: 'llm-comply',
    id: /error-handling$/,
    message: /HTTP 200/,
    reason: 'A request without a model is valid: the router decides.',
  },
  {
    suite: 'llmprobe',
    id: /^responses-streaming$/,
    message: /\[DONE\]/,
    reason: 'OpenAI’s streams of this form have no `[DONE]`.',
  },
  {
    suite: 'Steady, suites',
    id: /^POST \/v1\/responses$/,
    message: /^\/max_output_tokens must be >= 16|must have required property '(strict|detail)'/,
    reason: 'llmprobe’s own request, which is passed on unchanged to a provider of the same form.',
  },
]

/** @returns null for a failure without a known reason */
export function reasonFor({ suite, id, message }: Failure): string | null {
  const gap = gaps.find(
    (each) => each.suite === suite && each.id.test(id) && each.message.test(message),
  )
  return gap?.reason ?? null
}
