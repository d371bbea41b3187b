/**
 * Prisma's client for Python writes GraphQL, which only Prisma's native engine reads. Its WebAssembly build reads
 * Prisma's JSON protocol. The two say the same in other words.
 */

/** What the package `graphql` parses; only the kinds that the client writes. */
type ValueNode =
  | { kind: 'StringValue' | 'EnumValue' | 'IntValue' | 'FloatValue'; value: string }
  | { kind: 'BooleanValue'; value: boolean }
  | { kind: 'NullValue' }
  | { kind: 'ListValue'; values: readonly ValueNode[] }
  | { kind: 'ObjectValue'; fields: readonly NamedNode[] }

interface NamedNode {
  name: { value: string }
  value: ValueNode
}

export interface FieldNode {
  name: { value: string }
  arguments?: readonly NamedNode[]
  selectionSet?: { selections: readonly FieldNode[] }
}

/** The type of each field, by model and field. */
export type FieldTypes = ReadonlyMap<string, ReadonlyMap<string, string>>

export interface JsonQuery {
  modelName?: string
  action: string
  query: { arguments: unknown; selection: Selection }
}

interface Selection {
  [field: string]: true | { arguments: unknown; selection: Selection }
}

const actions =
  'findUnique findFirst findMany aggregate groupBy createOne createMany updateOne updateMany upsertOne deleteOne deleteMany'.split(
    ' ',
  )
const orThrow = 'OrThrow'

/** @param datamodel  text of a Prisma schema */
export function fieldTypesOf(datamodel: string): FieldTypes {
  const models = datamodel.matchAll(/^model (?<name>\w+) \{\n(?<body>[^]*?)^\}/gm)
  return new Map(
    [...models].map(({ groups = {} }) => {
      const fields = (groups['body'] ?? '').matchAll(/^ +(?<name>\w+) +(?<type>\w+)/gm)
      return [
        groups['name'] ?? '',
        new Map(
          [...fields].map((field) => [field.groups?.['name'] ?? '', field.groups?.['type'] ?? '']),
        ),
      ]
    }),
  )
}

/** @param field  the only one of the GraphQL operation */
export function translateQuery(field: FieldNode, types: FieldTypes): JsonQuery {
  const called = actionOf(field.name.value)
  const selection = selectionOf(field)
  return {
    ...called,
    query: {
      arguments: tagJson(argumentsOf(field), types, { model: called.modelName }),
      selection,
    },
  }
}

/** `findUniqueUserOrThrow` is the action `findUniqueOrThrow` of the model `User`. */
function actionOf(name: string): Pick<JsonQuery, 'modelName' | 'action'> {
  const action = actions.find((prefix) => name.startsWith(prefix))
  if (action === undefined) return { action: name }
  const model = name.slice(action.length)
  return model.endsWith(orThrow)
    ? { modelName: model.slice(0, -orThrow.length), action: action + orThrow }
    : { modelName: model, action }
}

function argumentsOf({ arguments: named = [] }: FieldNode): Record<string, unknown> {
  return Object.fromEntries(named.map(({ name, value }) => [name.value, valueOf(value)]))
}

function selectionOf({ selectionSet }: FieldNode): Selection {
  return Object.fromEntries(
    (selectionSet?.selections ?? []).map((field) => [
      field.name.value,
      field.selectionSet ? { arguments: argumentsOf(field), selection: selectionOf(field) } : true,
    ]),
  )
}

function valueOf(node: ValueNode): unknown {
  switch (node.kind) {
    case 'NullValue':
      return null
    case 'ListValue':
      return node.values.map(valueOf)
    case 'ObjectValue':
      return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, valueOf(value)]))
    case 'IntValue':
    case 'FloatValue':
      return numberOf(node.value)
    default:
      return node.value
  }
}

function numberOf(text: string): unknown {
  const number = Number(text)
  const isExact = !Number.isInteger(number) || Number.isSafeInteger(number)
  return isExact ? number : { $type: 'BigInt', value: text }
}

/** GraphQL has JSON as text, and the field's type says that it is JSON. The JSON protocol marks it in the value. */
function tagJson(
  value: unknown,
  types: FieldTypes,
  { model, type }: { model?: string | undefined; type?: string | undefined },
): unknown {
  if (type === 'Json' && typeof value === 'string') return { $type: 'Json', value }
  if (Array.isArray(value)) return value.map((item) => tagJson(item, types, { model, type }))
  if (value === null || typeof value !== 'object' || '$type' in value) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const own = model === undefined ? undefined : types.get(model)?.get(name)
      // A relation's value has the fields of another model; `set` and `equals` have the type of the field around them.
      const next =
        own !== undefined && types.has(own) ? { model: own } : { model, type: own ?? type }
      return [name, tagJson(inner, types, next)]
    }),
  )
}

/** @param value  of an answer in the JSON protocol @returns it as GraphQL has it, without marks of its types */
export function withoutTypeTags(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTypeTags)
  if (value === null || typeof value !== 'object') return value
  if ('$type' in value && 'value' in value)
    return value.$type === 'BigInt' ? Number(value.value) : value.value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutTypeTags(inner)]),
  )
}
