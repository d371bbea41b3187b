/** The queries of LiteLLM's Prisma client in the cluster's comparison: from GraphQL to Prisma's JSON protocol. */
import { expect, test } from 'vitest'
import {
  fieldTypesOf,
  translateQuery,
  withoutTypeTags,
  type FieldNode,
} from '../../cluster/litellm/translate-query.ts'

type Argument = NonNullable<FieldNode['arguments']>[number]
type Value = Argument['value']

const named = (name: string, value: Value): Argument => ({ name: { value: name }, value })
const text = (value: string): Value => ({ kind: 'StringValue', value })
const int = (value: string): Value => ({ kind: 'IntValue', value })
const list = (...values: Value[]): Value => ({ kind: 'ListValue', values })
const object = (...fields: Argument[]): Value => ({ kind: 'ObjectValue', fields })
const field = (name: string, given: Argument[], selected: FieldNode[] = []): FieldNode => ({
  name: { value: name },
  arguments: given,
  ...(selected.length > 0 && { selectionSet: { selections: selected } }),
})

const types = fieldTypesOf(`
model User {
  id       String @id
  metadata Json
  keys     Key[]
}

model Key {
  token String
  spend BigInt
  extra Json?
}
`)

test.each([
  ['findUniqueUserOrThrow', { modelName: 'User', action: 'findUniqueOrThrow' }],
  ['findManyUser', { modelName: 'User', action: 'findMany' }],
  ['createOneKey', { modelName: 'Key', action: 'createOne' }],
  ['queryRaw', { action: 'queryRaw' }],
])('%s is an action and its model', (name, expected) => {
  const { query: _query, ...called } = translateQuery(field(name, []), types)
  expect(called).toEqual(expected)
})

test('JSON is marked by its field, also in a relation and around set, and other texts stay', () => {
  const data = object(
    named('id', text('{"a":1}')),
    named('metadata', object(named('set', text('{"a":1}')))),
    named('keys', object(named('create', list(object(named('extra', text('[]'))))))),
  )
  const json = (value: string) => ({ $type: 'Json', value })
  expect(translateQuery(field('createOneUser', [named('data', data)]), types).query).toEqual({
    arguments: {
      data: {
        id: '{"a":1}',
        metadata: { set: json('{"a":1}') },
        keys: { create: [{ extra: json('[]') }] },
      },
    },
    selection: {},
  })
})

test('whole numbers that a double cannot hold stay exact', () => {
  const where = [named('small', int('7')), named('large', int('9007199254740993'))]
  expect(translateQuery(field('findManyKey', where), types).query.arguments).toEqual({
    small: 7,
    large: { $type: 'BigInt', value: '9007199254740993' },
  })
})

test('a selection has the arguments of its relations', () => {
  const keys = field('keys', [named('take', int('1'))], [field('token', [])])
  const { query } = translateQuery(field('findFirstUser', [], [field('id', []), keys]), types)
  expect(query.selection).toEqual({
    id: true,
    keys: { arguments: { take: 1 }, selection: { token: true } },
  })
})

test('an answer loses the marks of its types', () => {
  const answer = [
    { spend: { $type: 'BigInt', value: '12' }, at: { $type: 'DateTime', value: 'x' } },
  ]
  expect(withoutTypeTags({ answer, none: null })).toEqual({
    answer: [{ spend: 12, at: 'x' }],
    none: null,
  })
})
