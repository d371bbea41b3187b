/** Random valid definitions for properties that hold for all agents. */
import type { Chance } from './random.ts'

/** A step as in a file, with plain values. */
export interface WrittenStep extends Record<string, unknown> {
  id: string
  type: string
  needs: string[]
}

interface DrawnStep extends Record<string, unknown> {
  id: string
  type: string
}

export interface WrittenAgent {
  name: string
  limits: Record<string, number>
  steps: WrittenStep[]
}

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }

/** @param calls  names of the agents that it can call */
export function randomAgent(chance: Chance, name = 'random', calls: readonly string[] = []) {
  const limits = {
    max_steps: 1 + chance.below(60),
    max_seconds: 1 + chance.below(60),
    max_cost_usd: 1,
  }
  const agent: WrittenAgent = { name, limits, steps: [] }
  const drawing = new Drawing(chance, calls)
  agent.steps = drawing.graph(3, ['input'])
  return agent
}

class Drawing {
  readonly #chance: Chance
  readonly #calls: readonly string[]
  #count = 0

  constructor(chance: Chance, calls: readonly string[]) {
    this.#chance = chance
    this.#calls = calls
  }

  /** @param seen  texts that templates can use here */
  graph(depth: number, seen: readonly string[]): WrittenStep[] {
    const steps: WrittenStep[] = []
    const length = 1 + this.#chance.below(4)
    for (let place = 0; place < length; place += 1) {
      const earlier = steps.filter(() => this.#chance.isTrue(0.5)).map(({ id }) => id)
      const loose = steps.map(({ id }) => id).filter((id) => !isNeeded(id, steps))
      const needs = place === length - 1 ? [...new Set([...earlier, ...loose])] : earlier
      const texts = [...seen, ...needs.map((id) => `steps.${id}.output`)]
      steps.push({ ...this.#step(depth, texts), needs })
    }
    return steps
  }

  #step(depth: number, texts: readonly string[]): DrawnStep {
    this.#count += 1
    const id = `s${this.#count}`
    const chance = this.#chance
    const common = {
      id,
      ...(chance.isTrue(0.2) ? { retries: chance.below(3) } : {}),
      ...(chance.isTrue(0.2) ? { skip_if: this.#condition(texts) } : {}),
      ...(chance.isTrue(0.1) ? { time_limit_seconds: 1 + chance.below(5) } : {}),
    }
    const fallback = chance.isTrue(0.3) ? { fallback: '{"n": 0}' } : {}
    const user = this.#template(texts)
    const kind = depth === 0 ? chance.pick(askingKinds) : chance.pick(allKinds)
    switch (kind) {
      case 'prompt':
        return { ...common, ...fallback, type: 'prompt', user }
      case 'json':
        return { ...common, ...fallback, type: 'prompt', user, json_schema: schema }
      case 'judge':
        return { ...common, ...this.#judge(user) }
      case 'agent':
        return this.#calls.length === 0
          ? { ...common, type: 'prompt', user }
          : { ...common, type: 'agent', agent: this.#calls[chance.below(this.#calls.length)] }
      default:
        return { ...common, ...this.#container(kind, depth - 1, texts) }
    }
  }

  #judge(user: string) {
    return {
      type: 'judge',
      candidates: 2 + this.#chance.below(3),
      mode: this.#chance.pick(['pick', 'merge']),
      candidate: { user },
      judge: { user: '{% for each in candidates %}{{ each }}{% endfor %}' },
    }
  }

  #container(type: 'branch' | 'map' | 'loop', depth: number, texts: readonly string[]) {
    if (type === 'branch') {
      const when = this.#condition(texts)
      const cases = [{ when, steps: this.graph(depth, texts) }]
      return { type, cases, else: this.graph(depth, texts) }
    }
    if (type === 'map') {
      const concurrency = 1 + this.#chance.below(4)
      const steps = this.graph(depth, [...texts, 'item'])
      return { type, over: '"a,b,c" | split: ","', concurrency, steps }
    }
    const steps = this.graph(depth, [...texts, 'previous'])
    const max_iterations = 1 + this.#chance.below(4)
    return { type, max_iterations, until: this.#condition(texts), steps }
  }

  #template(texts: readonly string[]): string {
    const named = texts[this.#chance.below(texts.length)] ?? 'input'
    return `Say something of {{ ${named} }}.`
  }

  #condition(texts: readonly string[]): string {
    const named = texts[this.#chance.below(texts.length)] ?? 'input'
    return `${named} contains "${this.#chance.pick(['1', '7', 'o'])}"`
  }
}

const askingKinds = ['prompt', 'json', 'judge'] as const
const allKinds = [...askingKinds, 'branch', 'map', 'loop', 'agent'] as const

function isNeeded(id: string, steps: readonly WrittenStep[]): boolean {
  return steps.some(({ needs }) => needs.includes(id))
}
