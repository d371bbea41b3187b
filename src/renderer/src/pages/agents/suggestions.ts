/** What the editor suggests at the caret. */
import { t } from '../../../../shared/strings/strings.ts'
import { limitsOf, schemaAt, type FieldSchema } from './agent-schema.ts'
import { allSteps, stepTypes, type DraftGraph, type Path } from './draft.ts'
import { stepNames } from './step-names.ts'
import { indented, stepLines } from './step-templates.ts'
import { placeAt, type TextPlace } from './text-place.ts'
import { variablesOf } from './visible-variables.ts'

export interface Suggestion {
  label: string
  /** The text that replaces the word. */
  insert: string
  detail: string
  description: string
  kind: 'property' | 'enum' | 'variable' | 'class'
}

/** The names that a definition can refer to. */
export interface Names {
  routers: readonly { id: string; name: string }[]
  models: readonly string[]
  agents: readonly string[]
}

interface Suggestions {
  from: number
  to: number
  options: readonly Suggestion[]
}

/** Fields whose text is an expression, which names variables without braces. */
const expressions: readonly unknown[] = ['when', 'over', 'until', 'skip_if']

/** @returns null where there is nothing to suggest */
export function suggestionsAt(source: string, caret: number, names: Names): Suggestions | null {
  const place = placeAt(source, caret)
  const schema = place && schemaAt(place.path, place.value)
  if (!place || !schema) return null
  const options = optionsAt(place, schema, { source, names })
  return options.length === 0 ? null : { ...place.word, options }
}

interface Surrounding {
  source: string
  names: Names
}

function optionsAt(place: TextPlace, schema: FieldSchema, around: Surrounding): Suggestion[] {
  if (schema.properties) return fieldOptions(place, schema.properties, around.source)
  if (place.isName) return []
  const { path, draft, before } = place
  const isInBraces = /\{[{%][^}]*$/.test(before ?? '')
  if (isInBraces || expressions.includes(path.at(-1))) {
    return variablesOf(draft, path).map((name) => option(name, { kind: 'variable' }))
  }
  return before === null ? valueOptions(path, schema, { draft, names: around.names }) : []
}

/** Names of fields; for a new item of a list of steps, whole steps, too. */
function fieldOptions(
  { siblings, word, path, draft }: TextPlace,
  properties: Readonly<Record<string, FieldSchema>>,
  source: string,
): Suggestion[] {
  const margin = ' '.repeat(word.from - source.lastIndexOf('\n', word.from - 1) - 1)
  const hasColon = source[word.to] === ':'
  const fields = Object.entries(properties)
    .filter(([name]) => !siblings.includes(name))
    .map(([name, schema]) => {
      const insert = hasColon ? name : name + startOf(schema, margin)
      const description = schema.description ?? ''
      return option(name, { insert, kind: 'property', detail: limitsOf(schema), description })
    })
  const isNewStep = siblings.length === 0 && typeof path.at(-1) === 'number' && 'type' in properties
  return isNewStep && !hasColon ? [...stepOptions(path, draft, margin), ...fields] : fields
}

/** What follows the name of a field, up to its value. */
function startOf({ type, properties, items }: FieldSchema, margin: string): string {
  if (properties) return `:\n${margin}  `
  if (type !== 'array') return ': '
  return (items?.properties ?? items?.$ref) ? `:\n${margin}  - ` : ': ['
}

function stepOptions(path: Path, draft: DraftGraph, margin: string): Suggestion[] {
  const steps = allSteps(draft)
  const previous = [...path.slice(0, -1), Number(path.at(-1)) - 1].join('.')
  const before = steps.find((step) => step.path.join('.') === previous)?.id ?? ''
  const ids = steps.map(({ id }) => id)
  return stepTypes.map((type) => {
    const insert = indented(stepLines(type, { ids, before }), margin)
    const { label, hint } = stepNames[type]
    return option(t('New step: {type}', { type: label }), {
      insert,
      kind: 'class',
      description: hint,
    })
  })
}

function valueOptions(
  path: Path,
  schema: FieldSchema,
  { draft, names }: { draft: DraftGraph; names: Names },
): Suggestion[] {
  const [field, outer] = [path.at(-1), path.at(-2)]
  if (schema.enum) return schema.enum.map((value) => typeOption(String(value)))
  if (field === 'router') {
    return names.routers.map(({ id, name }) => option(name, { insert: id, detail: id }))
  }
  if (field === 'model') return names.models.map((name) => option(name))
  if (field === 'agent') return names.agents.map((name) => option(name))
  if (outer !== 'needs') return []
  const step = path.slice(0, -2)
  const others = allSteps(draft).filter(
    ({ path: other }) =>
      other.slice(0, -1).join('.') === step.slice(0, -1).join('.') && other.at(-1) !== step.at(-1),
  )
  return others.map(({ id }) => option(id, { kind: 'variable' }))
}

function typeOption(value: string): Suggestion {
  const type = stepTypes.find((name) => name === value)
  return option(value, type ? { description: stepNames[type].hint } : {})
}

function option(label: string, more: Partial<Suggestion> = {}): Suggestion {
  return { label, insert: label, detail: '', description: '', kind: 'enum', ...more }
}
