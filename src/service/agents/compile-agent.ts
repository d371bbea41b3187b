/** Checks what the JSON Schema cannot express, and parses each template once. */
import type { AgentDefinition, Ask, Step } from '../../shared/agents/agent.ts'
import { issuesOfOrder, stepsBefore } from './check-order.ts'
import type {
  AgentCall,
  CompiledAgent,
  CompiledAsk,
  CompiledStep,
  Issue,
  Graph,
  Work,
} from './compiled.ts'
import { parseJsonSchema, SchemaRefused, type JsonOutput } from './json-output.ts'
import {
  parseExpression,
  parseTemplate,
  TemplateFailed,
  type Expression,
  type StepOutput,
  type Template,
  type VariablePath,
} from './templates.ts'
import { issueOfVariable, type Visible } from './visibility.ts'

type Path = Issue['path']

/** @returns the compiled agent and its errors, each with its place. Run the agent only if there are none. */
export function compileAgent(definition: AgentDefinition): {
  agent: CompiledAgent
  issues: readonly Issue[]
} {
  const compiler = new Compiler()
  const nothing: Visible = { locals: [], steps: new Map(), later: new Set() }
  const graph = compiler.graph(definition.steps, ['steps'], nothing)
  const { issues, calls } = compiler
  return { agent: { definition, graph, calls }, issues }
}

/** Continues after an error, so that all errors are found at once. */
class Compiler {
  readonly issues: Issue[] = []
  readonly calls: AgentCall[] = []
  readonly #ids = new Set<string>()

  /** @param outer  the variables visible to the step that contains this graph */
  graph(steps: readonly Step[], path: Path, outer: Visible): Graph {
    this.issues.push(...issuesOfOrder(steps, path))
    const before = stepsBefore(steps)
    const later = new Set([...outer.later, ...steps.map(({ id }) => id)])
    return {
      steps: steps.map((step, index) => {
        const over = steps.filter(({ id }) => before.get(step.id)?.has(id) && id !== step.id)
        const visible = { ...outer, later, steps: withSteps(outer.steps, over) }
        return this.#step(step, [...path, index], visible)
      }),
    }
  }

  #step(step: Step, path: Path, visible: Visible): CompiledStep {
    if (this.#ids.has(step.id)) {
      this.#issue([...path, 'id'], `the id "${step.id}" appears twice`)
    }
    this.#ids.add(step.id)
    const { time_limit_seconds: seconds, skip_if: skipIf } = step
    const work = this.#work(step, path, visible)
    return {
      id: step.id,
      type: step.type,
      needs: step.needs,
      skipIf: skipIf === undefined ? null : this.#expression(skipIf, [...path, 'skip_if'], visible),
      timeLimitMs: seconds === undefined ? null : seconds * 1000,
      retries: step.retries,
      fallback: this.#fallback(step, work, path),
      work,
    }
  }

  #work(step: Step, path: Path, visible: Visible): Work {
    switch (step.type) {
      case 'prompt':
        return {
          type: 'prompt',
          ask: this.#ask(step, path, visible),
          json: step.json_schema ? this.#schema(step.json_schema, [...path, 'json_schema']) : null,
        }
      case 'text':
        return { type: 'text', text: this.#template(step.text, [...path, 'text'], visible) }
      case 'judge':
        return {
          type: 'judge',
          candidates: step.candidates,
          candidate: this.#ask(step.candidate, [...path, 'candidate'], visible),
          judge: this.#ask(step.judge, [...path, 'judge'], withLocals(visible, 'candidates')),
          pick: step.mode === 'pick' ? pickOf(step.candidates) : null,
        }
      case 'agent':
        this.calls.push({ agent: step.agent, path: [...path, 'agent'] })
        return {
          type: 'agent',
          agent: step.agent,
          input: this.#template(step.input, [...path, 'input'], visible),
        }
      default:
        return this.#container(step, path, visible)
    }
  }

  #container(
    step: Extract<Step, { type: 'branch' | 'map' | 'loop' }>,
    path: Path,
    visible: Visible,
  ): Work {
    if (step.type === 'branch') {
      const cases = step.cases.map(({ when, steps }, index) => ({
        when: this.#expression(when, [...path, 'cases', index, 'when'], visible),
        graph: this.graph(steps, [...path, 'cases', index, 'steps'], visible),
      }))
      const otherwise = step.else ? this.graph(step.else, [...path, 'else'], visible) : null
      return { type: 'branch', cases, otherwise }
    }
    if (step.type === 'map') {
      const over = this.#expression(step.over, [...path, 'over'], visible)
      const inner = withLocals(visible, 'item', 'index')
      const graph = this.graph(step.steps, [...path, 'steps'], inner)
      return {
        type: 'map',
        over,
        concurrency: step.concurrency,
        maxItems: step.max_items,
        graph,
      }
    }
    const inner = withLocals(visible, 'iteration', 'previous')
    const graph = this.graph(step.steps, [...path, 'steps'], inner)
    const after = { ...inner, steps: withSteps(inner.steps, step.steps) }
    const until =
      step.until === undefined ? null : this.#expression(step.until, [...path, 'until'], after)
    return { type: 'loop', until, maxIterations: step.max_iterations, graph }
  }

  #ask(ask: Ask, path: Path, visible: Visible): CompiledAsk {
    const { system, user } = ask
    return {
      ask,
      system: system === undefined ? null : this.#template(system, [...path, 'system'], visible),
      user: this.#template(user, [...path, 'user'], visible),
    }
  }

  #template(text: string, path: Path, visible: Visible): Template {
    const template = this.#parsed(() => parseTemplate(text), path)
    if (template) this.#variables(template.variables, path, visible)
    return template ?? { variables: [], render: () => '' }
  }

  #expression(text: string, path: Path, visible: Visible): Expression {
    const expression = this.#parsed(() => parseExpression(text), path)
    if (expression) this.#variables(expression.variables, path, visible)
    return expression ?? { variables: [], value: () => null, holds: () => false }
  }

  #schema(schema: Record<string, unknown>, path: Path): JsonOutput | null {
    return this.#parsed(() => parseJsonSchema(schema), path)
  }

  /** Compiles a fallback, which must match the schema like an answer. */
  #fallback(step: Step, work: Work, path: Path): StepOutput | null {
    const { fallback } = step
    if (fallback === undefined) return null
    if (work.type !== 'prompt' || work.json === null) return { output: fallback, json: null }
    const read = work.json.read(fallback)
    if (read.ok) return { output: fallback, json: read.value }
    this.#issue([...path, 'fallback'], `must match json_schema: ${read.problem}`)
    return null
  }

  #parsed<Parsed>(parse: () => Parsed, path: Path): Parsed | null {
    try {
      return parse()
    } catch (error) {
      if (!(error instanceof TemplateFailed || error instanceof SchemaRefused)) throw error
      this.#issue(path, error.message)
      return null
    }
  }

  #variables(variables: readonly VariablePath[], path: Path, visible: Visible): void {
    for (const variable of variables) {
      const message = issueOfVariable(variable, visible)
      if (message !== null) this.#issue(path, message)
    }
  }

  #issue(path: Path, message: string): void {
    this.issues.push({ path, message })
  }
}

function withLocals(visible: Visible, ...locals: string[]): Visible {
  return { ...visible, locals: [...new Set([...visible.locals, ...locals])] }
}

function withSteps(known: Visible['steps'], steps: readonly Step[]): Visible['steps'] {
  return new Map([...known, ...steps.map((step) => [step.id, step] as const)])
}

function pickOf(candidates: number): JsonOutput {
  return parseJsonSchema({
    type: 'object',
    properties: {
      best: {
        type: 'integer',
        minimum: 1,
        maximum: candidates,
        description: 'the number of the best candidate, counted from 1',
      },
    },
    required: ['best'],
    additionalProperties: false,
  })
}
