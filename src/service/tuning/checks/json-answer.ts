import { isDeepStrictEqual } from 'node:util'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { CheckOfType } from '../../../shared/chat/prompt-check.ts'
import { newAjv } from '../../chat/attempts/json-schema.ts'
import { codeBlocks } from './final-answer.ts'
import { right, wrong, type Grade } from './grade.ts'

type JsonCheck = CheckOfType<'json_schema'>

/** Finds the JSON of an answer, in a code block or in prose, and compares it with the schema and the exact values. */
export function gradeJson(check: JsonCheck, answer: string): Grade {
  const found = findJson(answer)
  if (found === null) return wrong('The answer contains no JSON.')
  const problem = schemaProblem(check, found.value) ?? valueProblem(check, found.value)
  return problem === null ? right('The JSON is as expected.') : wrong(problem)
}

/** @throws Error when the schema cannot be compiled or uses regular expressions */
export function compileSchema({ schema }: JsonCheck): ValidateFunction {
  // A pattern could block the process on an answer written to match slowly.
  return newAjv(Object.assign(refusePattern, { code: 'refusePattern' })).compile(schema)
}

function refusePattern(): never {
  throw new Error('regular expressions are not supported in a schema')
}

function schemaProblem(check: JsonCheck, value: unknown): string | null {
  const validate = compileSchema(check)
  try {
    // An asynchronous schema returns a promise.
    const result: unknown = validate(value)
    if (result === true) return null
  } catch (error) {
    // A recursive schema accepts values of any depth.
    if (error instanceof RangeError) return 'The JSON is nested too deeply.'
    throw error
  }
  const [issue] = validate.errors ?? []
  const place = issue?.instancePath === '' ? 'The JSON' : `The JSON's ${issue?.instancePath}`
  return `${place} ${issue?.message ?? 'does not match the schema'}.`
}

function valueProblem({ equals, values = {} }: JsonCheck, value: unknown): string | null {
  if (equals !== undefined && !isDeepStrictEqual(value, equals)) {
    return 'The JSON differs from the expected value.'
  }
  const differing = Object.entries(values).find(
    ([pointer, expected]) => !isDeepStrictEqual(valueAt(value, pointer), expected),
  )
  return differing === undefined
    ? null
    : `The JSON's ${differing[0]} differs from the expected value.`
}

/** The value at a JSON pointer (RFC 6901); undefined if there is none. */
function valueAt(value: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1)
  return names
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((inner, name) => {
      const hasName = typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
      return hasName ? new Map<string, unknown>(Object.entries(inner)).get(name) : undefined
    }, value)
}

/** How many opening brackets of prose are tried. */
const mostAttempts = 20

/** The whole answer; else the last code block that is JSON; else the first JSON object or array within the text. */
function findJson(answer: string): { value: unknown } | null {
  const texts = [
    answer,
    ...codeBlocks(answer)
      .map(({ text }) => text)
      .toReversed(),
  ]
  for (const text of texts) {
    const parsed = parse(text)
    if (parsed !== null) return parsed
  }
  return findInProse(answer)
}

function findInProse(answer: string): { value: unknown } | null {
  let start = nextOpening(answer, 0)
  for (let attempt = 0; attempt < mostAttempts && start !== -1; attempt++) {
    const end = closingBracket(answer, start)
    const parsed = end === -1 ? null : parse(answer.slice(start, end + 1))
    if (parsed !== null) return parsed
    start = nextOpening(answer, start + 1)
  }
  return null
}

function nextOpening(text: string, from: number): number {
  const at = text.slice(from).search(/[{[]/)
  return at === -1 ? -1 : from + at
}

/** The bracket that closes the one at `start`; brackets within strings do not count. */
function closingBracket(text: string, start: number): number {
  let depth = 0
  let isInString = false
  for (let place = start; place < text.length; place++) {
    const character = text[place] ?? ''
    if (isInString && character === '\\') place++
    else if (character === '"') isInString = !isInString
    else if (!isInString && '{['.includes(character)) depth++
    else if (!isInString && '}]'.includes(character)) depth--
    if (depth === 0) return place
  }
  return -1
}

function parse(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}
