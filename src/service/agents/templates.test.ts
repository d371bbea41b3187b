/** How much a single template may compute before it fails. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parseExpression, parseTemplate } from './templates.ts'

const scope = { input: 'a,b', messages: [], steps: {} }

test.each([
  ['an object', '{{ item }}', { name: 'a', tags: ['x'] }, '{"name":"a","tags":["x"]}'],
  ['a list of objects', '{{ item }}', [{ name: 'a' }, 'b'], '[{"name":"a"},"b"]'],
  ['a list of lists', '{% echo item %}', [[1, 2], [3]], '[[1,2],[3]]'],
  ['an object of a list', '{{ item | last }}', ['a', { name: 'b' }], '{"name":"b"}'],
  ['an object once, after a filter of JSON', '{{ item | json }}', { name: 'a' }, '{"name":"a"}'],
  [
    'all other values as before',
    '{{ item }}{{ nil }}{{ 1.5 }}{{ true }}',
    ['a', 2, null],
    'a21.5true',
  ],
  [
    'Liquid’s own objects as before',
    '{% for n in item %}{{ forloop }}{% endfor %}',
    [1],
    '{"i":0,"length":1,"name":"n-item"}',
  ],
])('JSON is written for %s', (_what, text, item, written) => {
  expect(parseTemplate(text).render({ ...scope, item })).toBe(written)
})

test('a filter is given lists of up to 5,000 items', () => {
  const template = parseTemplate('{{ (1..5000) | sort | size }}')

  expect(template.render(scope)).toBe('5000')
})

describe('a template fails that', () => {
  test.each([
    ['sorts a list of more items', '{{ (1..5001) | sort | size }}', 'a list of at most 5000 items'],
    [
      'groups the characters of a long text',
      '{{ input | split: "" | group_by_exp: "each", "each" | size }}',
      'a list of at most 5000 items',
    ],
    ['counts to three million', '{% assign all = (1..3000000) %}', 'memory alloc limit exceeded'],
    [
      'filters a long text again and again',
      '{{ input | upcase | downcase | upcase }}',
      'memory alloc limit exceeded',
    ],
    [
      'writes an object with a long text again and again',
      '{% for n in (1..3) %}{{ messages[0] }}{% endfor %}',
      'memory alloc limit exceeded',
    ],
    [
      'loops in loops in loops',
      '{% for a in (1..999) %}{% for b in (1..999) %}{% for c in (1..999) %}{% endfor %}{% endfor %}{% endfor %}',
      'a template has at most 20000 operations',
    ],
    [
      'calculates 21,000 times',
      `{% for a in (1..70) %}{{ a ${'| plus: 1 '.repeat(300)}}}{% endfor %}`,
      'a template has at most 20000 operations',
    ],
    [
      'compares 21,000 times',
      `{% for a in (1..70) %}{% if a == 0 ${'or a == 0 '.repeat(150)}%}{% endif %}{% endfor %}`,
      'a template has at most 20000 operations',
    ],
    [
      'searches a list of 5,000 items five times',
      `{% assign all = (1..5000) | sort %}${'{% if all contains 0 %}{% endif %}'.repeat(5)}`,
      'a template has at most 20000 operations',
    ],
    [
      'compares with thousands of values in each pass, which no count covers',
      `{% for a in (1..9000) %}{% case a %}{% when ${'0,'.repeat(9_000)}0 %}{% endcase %}{% endfor %}`,
      'a template has at most 500 ms of processor time',
    ],
  ])('%s', (_what, text, message) => {
    // With a clock that stands still, a slow computer reaches the count too.
    if (!message.includes('processor time')) vi.spyOn(performance, 'now').mockReturnValue(0)
    onTestFinished(() => void vi.restoreAllMocks())
    const template = parseTemplate(text)

    const input = 'x'.repeat(900_000)
    const messages = [{ role: 'user', content: input }]
    expect(() => template.render({ ...scope, input, messages })).toThrow(message)
  })
})

test('time in which the machine does something else does not count', async () => {
  const otherThread = new Worker('for (;;);', { eval: true })
  onTestFinished(() => void otherThread.terminate())
  await once(otherThread, 'online')
  const template = parseTemplate('{% for n in (1..2) %}{{ n }}{{ messages[0].role }}{% endfor %}')
  const wait = new Int32Array(new SharedArrayBuffer(4))
  const message = {
    get role() {
      Atomics.wait(wait, 0, 0, 700)
      return 'x'
    },
    content: '',
  }

  expect(template.render({ ...scope, messages: [message] })).toBe('1x2x')
})

test('each rendering has its own count', () => {
  const template = parseTemplate('{% for n in (1..9000) %}{{ n }}{% endfor %}')

  const [first, second] = [template.render(scope), template.render(scope)]

  expect(second).toBe(first)
})

test('an expression has the same limits', () => {
  const expression = parseExpression('(1..5001) | sort')

  expect(() => expression.value(scope)).toThrow('a list of at most 5000 items')
})
