import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { agentJsonSchema } from '../../shared/agents/agent.ts'
import { randomAgent } from '../../../test/agents/random-agent.ts'
import { seeded } from '../../../test/agents/random.ts'
import { brokenAgents } from '../../../test/agents/broken-agent.ts'
import { readDefinition, wordsForIssues } from './read-definition.ts'

const file = `# Two steps.
name: two-steps
steps:
  - id: summary
    type: prompt
    user: "Summarise: {{ input }}"
  - id: translation
    type: prompt
    needs: [summary]
    user: |
      Translate into French:
      {{ steps.summary.output }}
`

/** `line field: message` of each error. */
function issuesOf(text: string): string[] {
  const read = readDefinition(text)
  return read.ok
    ? []
    : read.issues.map(({ line, field, message }) => `${line} ${field}: ${message}`)
}

/** A JSON definition with these steps. */
function agentOf(steps: unknown): string {
  return JSON.stringify({ name: 'a', steps })
}

const prompt = { id: 'p', type: 'prompt', user: 'x' }

test('a YAML definition is read with defaults', () => {
  const read = readDefinition(file)

  expect(read.ok && read.agent.definition).toMatchObject({
    name: 'two-steps',
    description: '',
    limits: { max_cost_usd: 1, max_steps: 100, max_seconds: 300 },
    steps: [
      { id: 'summary', needs: [], retries: 0 },
      { id: 'translation', needs: ['summary'] },
    ],
  })
})

test('a JSON definition is read', () => {
  expect(issuesOf(agentOf([prompt]))).toEqual([])
})

test('the published schema is the one in the code', () => {
  const published = path.resolve(import.meta.dirname, '../../../resources/agent.schema.json')

  expect(JSON.parse(readFileSync(published, 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(agentJsonSchema())),
  )
})

describe('an error names its line and field', () => {
  test.each([
    [
      'an unknown field',
      '    user: "S',
      '    usr: 1\n    user: "S',
      /^6 steps\[0\].usr: unknown field/,
    ],
    [
      'an unknown type',
      'type: prompt',
      'type: promt',
      /^5 steps\[0\].type: Choose one of: prompt, text, judge/,
    ],
    ['a missing field', '    user: "Summarise: {{ input }}"\n', '', /^4 steps\[0\].user: /],
    ['an invalid name', 'two-steps', 'Two Steps', /^2 name: Use 1 to 64 lower-case letters/],
    ['an unknown step', '[summary]', '[sumary]', /^9 steps\[1\].needs\[0\]: .*"sumary"/],
    ['an unused step', '    needs: [summary]\n', '', /^4 steps\[0\].id: .*is not used/],
    [
      'an unknown variable',
      '{{ input }}',
      '{{ inputt }}',
      /^6 steps\[0\].user: there is no variable/,
    ],
    ['a variable of an unknown step', 'steps.summary', 'steps.sum', /^10 steps\[1\].user: .*"sum"/],
    [
      'JSON of a step that returns none',
      'summary.output',
      'summary.json.a',
      /^10 .*returns no JSON/,
    ],
    ['an unknown filter', '{{ input }}', '{{ input | shout }}', /^6 .*undefined filter: shout/],
    ['a tag that reads files', '{{ input }}', "{% include 'x' %}", /^6 .*tag "include" not found/],
    [
      'a template that does not close',
      '{{ input }}',
      '{% if input %}',
      /^6 steps\[0\].user: .*not closed/,
    ],
    ['invalid YAML', 'steps:', 'steps: [', /^\d+ : /],
    [
      'a duplicate id',
      'id: translation',
      'id: summary',
      /steps\[1\].id: the id "summary" appears twice/,
    ],
    ['an alias', 'two-steps', '&a two-steps\ndescription: *a', /^3 : aliases are not supported/],
    ['a custom type', 'two-steps', '!!js/function x', /^2 : /],
    [
      'a name that is a list',
      'name: two-steps',
      'name: two-steps\n? [a]\n: b',
      /^3 : a field’s name must be text/,
    ],
    ['a key', 'Summarise', 'sk-proj-0123456789abcdef', /^6 : this looks like a key/],
  ])('%s', (_what, from, to, expected) => {
    const found = issuesOf(file.replace(from, to))

    expect(found).toContainEqual(expect.stringMatching(expected))
  })

  test('a cycle, at each of its steps', () => {
    const steps = [
      { ...prompt, id: 'a', needs: ['b'] },
      { ...prompt, id: 'b', needs: ['a'] },
    ]

    expect(issuesOf(agentOf(steps))).toEqual([
      '1 steps[0].needs: the step "a" waits for itself',
      '1 steps[1].needs: the step "b" waits for itself',
    ])
  })

  test('a variable of a step that may not have finished', () => {
    const steps = [
      { ...prompt, id: 'a' },
      { ...prompt, id: 'b', user: '{{ steps.a.output }}' },
      { ...prompt, id: 'c', needs: ['a', 'b'] },
    ]

    expect(issuesOf(agentOf(steps))).toEqual([
      '1 steps[1].user: the step "a" may not have finished here; add it to "needs"',
    ])
  })

  test('a variable of a step inside another one, used outside', () => {
    const steps = [
      { id: 'l', type: 'loop', max_iterations: 2, steps: [prompt] },
      { ...prompt, id: 'after', needs: ['l'], user: '{{ steps.p.output }}' },
    ]

    expect(issuesOf(agentOf(steps))).toEqual(['1 steps[1].user: there is no step "p" here'])
  })

  test('an unsupported schema, and a fallback that does not match its schema', () => {
    const withSchema = (json_schema: object, more = {}) =>
      issuesOf(agentOf([{ ...prompt, json_schema, ...more }]))

    expect(withSchema({ type: 'objekt' })).toEqual([
      '1 steps[0].json_schema: Unsupported type: objekt',
    ])
    expect(withSchema({ $ref: '#' })).toEqual([
      '1 steps[0].json_schema: the schema refers to itself endlessly',
    ])
    expect(withSchema({ type: 'string', pattern: '(a+)+$' })).toEqual([
      '1 steps[0].json_schema: a schema cannot use "pattern"',
    ])
    expect(withSchema({ type: 'object', properties: { pattern: { type: 'string' } } })).toEqual([])
    expect(withSchema({ type: 'object' }, { fallback: '[]' })).toEqual([
      expect.stringMatching(/^1 steps\[0\].fallback: must match json_schema: /),
    ])
  })

  test('all errors are listed at once, one per line', () => {
    const read = readDefinition(file.replace('{{ input }}', '{{ a }}').replace('.output', '.b'))

    expect(read.ok ? '' : wordsForIssues(read.issues).split('\n')).toEqual([
      expect.stringMatching(/^line 6, column 5, steps\[0\]\.user: there is no variable "a" here/),
      expect.stringMatching(
        /^line 10, column 5, steps\[1\]\.user: steps.summary has only output and json/,
      ),
    ])
  })
})

test.each([
  ['nothing', ''],
  ['a text', 'hello'],
  ['a list', '[]'],
  ['zeros', '\0\0'],
  ['100,000 open brackets', '['.repeat(100_000)],
  ['50,000 open braces', '{a: '.repeat(50_000)],
  ['a deeply nested schema', `${agentOf([])}${'{"a":'.repeat(1000)}`],
  ['too much', 'a'.repeat(300_000)],
  ['a long list of aliases', `a: &a [1]\nb: [${'*a,'.repeat(10_000)}]`],
])('%s is refused without a crash', (_what, text) => {
  expect(issuesOf(text)).not.toEqual([])
})

test('200 random definitions are all accepted', () => {
  const refused = Array.from({ length: 200 }, (_, seed) => randomAgent(seeded(seed)))
    .map((agent) => issuesOf(stringify(agent, { aliasDuplicateObjects: false })))
    .filter((issues) => issues.length > 0)

  expect(refused).toEqual([])
})

test('500 definitions with one error each are refused at that error', () => {
  const broken = brokenAgents(500)
  const missed = broken.flatMap(({ text, field, kind }) => {
    const found = issuesOf(text).map((issue) => issue.replace(/^\d+ /, ''))
    return found.some((issue) => issue.startsWith(`${field}: `)) ? [] : [{ kind, field, found }]
  })

  expect(broken).toHaveLength(500)
  expect(missed.slice(0, 3)).toEqual([])
})
