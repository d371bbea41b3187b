/**
 * Liquid, as far as an agent may use it: parsed once, strict about variables and filters, limited in time,
 * memory and length, and without the tags that read other templates. Nothing here reaches a file or a
 * program. The limits are checked between the parts of a template, so they bound and do not cut.
 */
import { Context, isTruthy, Liquid, toValueSync, Value } from 'liquidjs'

/** What a step's templates and expressions can see. */
export interface Scope {
  /** The text of the caller's last message. */
  input: string
  messages: readonly { role: string; content: string }[]
  steps: Readonly<Record<string, StepOutput>>
  /** In a map. */
  item?: unknown
  /** In a map; counts from 0. */
  index?: number
  /** In a loop; counts from 1. */
  iteration?: number
  /** In a loop: the output of the pass before, empty in the first. */
  previous?: string
  /** For a judge. */
  candidates?: readonly string[]
}

export interface StepOutput {
  output: string
  /** Null where the step gives no JSON, or was passed over. */
  json: unknown
}

/** A path into the scope; a part that is looked up itself is null. */
export type VariablePath = readonly (string | number | null)[]

export interface Template {
  variables: readonly VariablePath[]
  /** @throws TemplateFailed */
  render(scope: Scope): string
}

export interface Expression {
  variables: readonly VariablePath[]
  /** @throws TemplateFailed */
  value(scope: Scope): unknown
  /** As Liquid sees it: only false and nothing do not hold. @throws TemplateFailed */
  holds(scope: Scope): boolean
}

/** It cannot be read, or not be filled in; `message` says where and why, without any of the values. */
export class TemplateFailed extends Error {
  override readonly name = 'TemplateFailed'
}

const longestText = 1_000_000

const liquid = createLiquid()

function createLiquid(): Liquid {
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    dynamicPartials: false,
    relativeReference: false,
    // In memory, and empty: there is no file behind any name.
    templates: {},
    parseLimit: 20_000,
    renderLimit: 200,
    memoryLimit: 10_000_000,
  })
  for (const tag of ['render', 'include', 'layout', 'block']) delete engine.tags[tag]
  return engine
}

/** @throws TemplateFailed when it is not Liquid */
export function parseTemplate(text: string): Template {
  const parsed = attempt(() => liquid.parse(text))
  return {
    variables: attempt(() => liquid.globalVariableSegmentsSync(parsed)).map(toPath),
    render(scope) {
      const rendered = attempt(() => String(liquid.renderSync(parsed, scope)))
      if (rendered.length <= longestText) return rendered
      throw new TemplateFailed(`its text is longer than ${longestText} characters`)
    },
  }
}

/** @throws TemplateFailed when it is not a Liquid expression */
export function parseExpression(text: string): Expression {
  if (/\{\{|\}\}|\{%|%\}/.test(text)) {
    throw new TemplateFailed('an expression stands without {{ }} and {% %}')
  }
  if (/(^|\s)(and|or|contains|[=!<>]=|[<>])\s*$/.test(text)) {
    throw new TemplateFailed('it ends with an operator')
  }
  const value = attempt(() => new Value(text, liquid))
  const { variables } = parseTemplate(`{{ ${text} }}`)
  const contextOf = (scope: Scope) => new Context(scope, liquid.options, { sync: true })
  return {
    variables,
    value: (scope) => attempt((): unknown => toValueSync(value.value(contextOf(scope)))),
    holds: (scope) => {
      const context = contextOf(scope)
      return attempt(() => isTruthy(toValueSync(value.value(context)), context))
    },
  }
}

function attempt<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    // Its message has a line and the name of what is missing; the lines after it quote the template.
    const [message = ''] = error instanceof Error ? error.message.split('\n') : []
    throw new TemplateFailed(message, { cause: error })
  }
}

function toPath(segments: readonly unknown[]): VariablePath {
  return segments.map((part) =>
    typeof part === 'string' || typeof part === 'number' ? part : null,
  )
}
