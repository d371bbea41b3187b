/** Definitions with one error each, at a known place. */
import { stringify } from 'yaml'
import { randomAgent, type WrittenStep } from './random-agent.ts'
import { seeded, type Chance } from './random.ts'

export interface BrokenAgent {
  text: string
  /** The expected place of the error: `steps[2].user`. */
  field: string
  kind: string
}

interface Place {
  step: WrittenStep
  /** `steps[0].cases[0].steps[1]` */
  path: string
  /** The steps of the same graph. */
  siblings: WrittenStep[]
}

/** Breaks a step. @returns the field of the expected error; null if the step cannot have this error */
type Defect = (place: Place, chance: Chance) => string | null

const defects: Record<string, Defect> = {
  'unknown field': ({ step }) => set(step, 'colour', 'blue'),
  'unknown type': ({ step }) => set(step, 'type', 'shell'),
  'invalid id': ({ step }, chance) => set(step, 'id', chance.pick(['', 'A b', '1x', '../x'])),
  'needs an unknown step': ({ step }) => {
    step.needs.push('nobody')
    return `needs[${step.needs.length - 1}]`
  },
  'needs itself': ({ step }) => {
    step.needs.push(step.id)
    return `needs[${step.needs.length - 1}]`
  },
  'needs twice': ({ step }) => {
    const [first] = step.needs
    if (first === undefined) return null
    step.needs.push(first)
    return `needs[${step.needs.length - 1}]`
  },
  'needs as a text': ({ step }) => set(step, 'needs', 'all'),
  cycle: ({ step, siblings }) => {
    const last = siblings.at(-1)
    if (last === undefined || last === step) return null
    step.needs.push(last.id)
    return 'needs'
  },
  'unused step': ({ step, siblings }) => {
    const later = siblings.filter(({ needs }) => needs.includes(step.id))
    if (later.length === 0) return null
    for (const each of later) each.needs = each.needs.filter((id) => id !== step.id)
    return 'id'
  },
  'unknown variable': ({ step }) => (isPrompt(step) ? set(step, 'user', '{{ secrets }}') : null),
  'unknown step': ({ step }) =>
    isPrompt(step) ? set(step, 'user', '{{ steps.nobody.output }}') : null,
  'unknown part of a step': ({ step }) => {
    const [first] = step.needs
    return isPrompt(step) && first ? set(step, 'user', `{{ steps.${first}.text }}`) : null
  },
  'template that does not close': ({ step }) =>
    isPrompt(step) ? set(step, 'user', '{% for each in messages %}') : null,
  'tag that reads': ({ step }) =>
    isPrompt(step) ? set(step, 'user', '{% render "/etc/passwd" %}') : null,
  'filter that is none': ({ step }) =>
    isPrompt(step) ? set(step, 'user', '{{ input | exec }}') : null,
  'no user text': ({ step }) => (isPrompt(step) ? set(step, 'user', undefined) : null),
  'temperature out of range': ({ step }) => (isPrompt(step) ? set(step, 'temperature', 2.1) : null),
  'tokens below one': ({ step }) => (isPrompt(step) ? set(step, 'max_tokens', 0) : null),
  'model without provider': ({ step }) => (isPrompt(step) ? set(step, 'model', 'gpt') : null),
  'schema that is none': ({ step }) =>
    isPrompt(step) ? set(step, 'json_schema', { type: 'objekt' }) : null,
  'retries without end': ({ step }) => set(step, 'retries', 1e9),
  'no time at all': ({ step }) => set(step, 'time_limit_seconds', 0),
  'condition that is none': ({ step }) => set(step, 'skip_if', 'input =='),
  'condition in braces': ({ step }) => set(step, 'skip_if', '{{ input }}'),
  'condition of nobody': ({ step }) => set(step, 'skip_if', 'steps.nobody.json.ok'),
  'one candidate': ({ step }) => (step.type === 'judge' ? set(step, 'candidates', 1) : null),
  'loop without a limit': ({ step }) =>
    step.type === 'loop' ? set(step, 'max_iterations', undefined) : null,
  'loop without steps': ({ step }) => (step.type === 'loop' ? set(step, 'steps', []) : null),
  'map over nothing': ({ step }) => (step.type === 'map' ? set(step, 'over', '') : null),
  'map with no hands': ({ step }) => (step.type === 'map' ? set(step, 'concurrency', 0) : null),
  'branch without cases': ({ step }) => (step.type === 'branch' ? set(step, 'cases', []) : null),
}

/** `count` broken agents that cycle through all kinds of errors. */
export function brokenAgents(count: number): BrokenAgent[] {
  const kinds = Object.entries(defects)
  const found: BrokenAgent[] = []
  for (let seed = 0; found.length < count; seed += 1) {
    const [kind, defect] = kinds[seed % kinds.length] ?? []
    const broken = defect && breakOne(seeded(seed), defect)
    if (broken && kind) found.push({ ...broken, kind })
  }
  return found
}

function breakOne(chance: Chance, defect: Defect): Omit<BrokenAgent, 'kind'> | null {
  const agent = randomAgent(chance)
  const places = placesOf(agent.steps, 'steps')
  const place = places[chance.below(places.length)]
  const field = place && defect(place, chance)
  if (!place || field === null) return null
  return {
    text: stringify(agent, { aliasDuplicateObjects: false }),
    field: `${place.path}.${field}`,
  }
}

function placesOf(siblings: WrittenStep[], path: string): Place[] {
  return siblings.flatMap((step, index) => {
    const own = `${path}[${index}]`
    const inner = graphsOf(step).flatMap(({ steps, name }) => placesOf(steps, `${own}.${name}`))
    return [{ step, path: own, siblings }, ...inner]
  })
}

/** Trusts the fields' types, because `randomAgent` made the step. */
function graphsOf(step: WrittenStep): { steps: WrittenStep[]; name: string }[] {
  const cases = (step['cases'] ?? []) as { steps: WrittenStep[] }[]
  const others = (['else', 'steps'] as const).flatMap((name) => {
    const steps = step[name] as WrittenStep[] | undefined
    return steps ? [{ steps, name }] : []
  })
  return [...cases.map(({ steps }, index) => ({ steps, name: `cases[${index}].steps` })), ...others]
}

function isPrompt({ type }: WrittenStep): boolean {
  return type === 'prompt'
}

function set(step: WrittenStep, field: string, value: unknown): string {
  Object.assign(step, { [field]: value })
  return field
}
