/** A value that fits a JSON schema, as a model with a grammar would write it. */

/** Values of properties with these names. */
export const facts: Readonly<Record<string, unknown>> = { city: 'Paris', population: 2_100_000 }

type Schema = Readonly<Record<string, unknown>>

/** Creates an example from the parts of JSON Schema that tools and formats use. */
export function exampleOf(schema: unknown): unknown {
  const { const: only, enum: choices, anyOf, type, items, properties } = fieldsOf(schema)
  if (only !== undefined) return only
  if (Array.isArray(choices)) return choices[0]
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0])
  if (properties !== undefined) return exampleOfObject(fieldsOf(properties))
  switch (Array.isArray(type) ? type[0] : type) {
    case 'array':
      return [exampleOf(items)]
    case 'boolean':
      return true
    case 'integer':
      return 7
    case 'number':
      return 1.5
    case 'object':
      return {}
    default:
      return 'word'
  }
}

function exampleOfObject(properties: Schema): Schema {
  const members = Object.entries(properties)
  return Object.fromEntries(members.map(([name, each]) => [name, facts[name] ?? exampleOf(each)]))
}

function fieldsOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {}
}
