/** Which answers of a cascade's tier are accepted, and why others are not. */
import { describe, expect, test } from 'vitest'
import type { ChatCompletion, CompletionMessage } from '../../shared/chat.ts'
import { whyNotAccepted, whyNotApplicable, type Judging } from './acceptance.ts'

type Choice = ChatCompletion['choices'][number]

function choice(message: Partial<CompletionMessage>, finish_reason = 'stop'): Choice {
  return {
    index: 0,
    message: { role: 'assistant', content: null, refusal: null, ...message },
    finish_reason,
    logprobs: null,
  }
}

const text = (content: string) => [choice({ content })]
const calling = (name: string, argumentText: string) => [
  choice({
    tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: argumentText } }],
  }),
]

/** A schema here is a list of the required names. */
function judging(body: Judging['body'] = {}): Judging {
  return {
    body,
    matchesSchema: (schema, value) =>
      Array.isArray(schema) && schema.every((name) => Object.hasOwn(Object(value), String(name))),
  }
}

describe('two answers agree', () => {
  test.each([
    ['word for word', 'Paris', 'Paris'],
    ['except for case, spaces and final punctuation', ' Paris.\n', 'paris'],
    ['except for emphasis and quotes', '**Paris**', '“Paris”'],
    ['in the same number', '1,000.50', '1000.5'],
    ['in a number within words', 'It is 1,234,567 km', 'it is 1234567 km.'],
    ['in half and full width', '４２', '42'],
    ['in the same JSON in a different order', '{"a":1,"b":[2.0]}', '{ "b": [2], "a": 1 }'],
  ])('%s', (_how, one, other) => {
    expect(whyNotAccepted('agree', [text(one), text(other)], judging())).toBeNull()
  })

  test('in the called tool and its arguments', () => {
    const answers = [calling('find', '{"a":1,"b":2}'), calling('find', '{"b":2,"a":1}')]

    expect(whyNotAccepted('agree', answers, judging())).toBeNull()
  })

  test.each([
    ['they differ', 'Paris', 'London'],
    ['their numbers differ', '1000.5', '1000.6'],
    ['one is negative', '-5', '5'],
    ['a string that may be a code differs', '007', '7'],
    ['their numbers are too long to distinguish', '9007199254740993', '9007199254740992'],
    [
      'their numbers in JSON are too long to distinguish',
      '[9007199254740993]',
      '[9007199254740992]',
    ],
    ['the order of a list differs', '[1,2]', '[2,1]'],
    ['one is JSON', '"5"', '[5]'],
  ])('not when %s', (_why, one, other) => {
    expect(whyNotAccepted('agree', [text(one), text(other)], judging())).toBe('the answers differ')
  })

  test.each([
    ['are empty', ''],
    ['are long', 'word '.repeat(50)],
  ])('not when they %s, although they are equal', (_why, same) => {
    expect(whyNotAccepted('agree', [text(same), text(same)], judging())).toBe(
      'an answer is empty or too long to be compared',
    )
  })

  test('not when both refuse', () => {
    const refusals = [[choice({ refusal: 'No.' })], [choice({ refusal: 'No.' })]]

    expect(whyNotAccepted('agree', refusals, judging())).not.toBeNull()
  })

  test('not when only the tool’s name is the same', () => {
    const answers = [calling('find', '{"a":1}'), calling('find', '{"a":2}')]

    expect(whyNotAccepted('agree', answers, judging())).toBe('the answers differ')
  })
})

describe('valid_json', () => {
  const schema = { type: 'json_schema' as const, json_schema: { name: 'x', schema: ['city'] } }

  test.each<[string, Judging['body'], string, string | null]>([
    ['takes any JSON', {}, '[1]', null],
    ['not text', {}, 'Here it is: [1]', 'the answer is not JSON'],
    ['not what is cut off', {}, '{"city":', 'the answer is not JSON'],
    ['takes an object', { response_format: { type: 'json_object' } }, '{}', null],
    [
      'not a list where an object was asked for',
      { response_format: { type: 'json_object' } },
      '[1]',
      'the answer is not a JSON object',
    ],
    ['takes what the schema says', { response_format: schema }, '{"city":"Bonn"}', null],
    [
      'not what it does not say',
      { response_format: schema },
      '{"town":"Bonn"}',
      'the answer is not as the schema says',
    ],
  ])('%s', (_what, body, content, reason) => {
    expect(whyNotAccepted('valid_json', [text(content)], judging(body))).toBe(reason)
  })

  test('checks each of several answers', () => {
    const answers = [...text('{}'), ...text('no')]

    expect(whyNotAccepted('valid_json', [answers], judging())).toBe('the answer is not JSON')
  })
})

describe('tool_call_valid', () => {
  const tools = [
    { type: 'function', function: { name: 'find', parameters: ['city'] } },
    { type: 'function', function: { name: 'now' } },
  ]

  test.each([
    ['takes a call as its tool says', calling('find', '{"city":"Bonn"}'), null],
    ['takes a call of a tool without parameters', calling('now', '{}'), null],
    ['not text', text('Bonn'), 'no tool is called'],
    [
      'not another tool',
      calling('search', '{"city":"Bonn"}'),
      'a tool is called that the request does not have',
    ],
    [
      'not arguments that are no JSON',
      calling('find', '{"city":'),
      'the arguments of a call are not a JSON object',
    ],
    [
      'not arguments that are no object',
      calling('find', '"Bonn"'),
      'the arguments of a call are not a JSON object',
    ],
    [
      'not arguments the tool does not say',
      calling('find', '{"town":"Bonn"}'),
      'the arguments of a call are not as its tool says',
    ],
  ])('%s', (_what, answer, reason) => {
    expect(whyNotAccepted('tool_call_valid', [answer], judging({ tools }))).toBe(reason)
  })
})

describe('not_refused_not_cut_off', () => {
  test.each<[string, Choice[], string | null]>([
    ['takes a text that ended', text('Bonn is on the Rhine.'), null],
    ['takes a call of a tool', [choice({ ...calling('f', '{}')[0]?.message }, 'tool_calls')], null],
    ['not one that was cut off', [choice({ content: 'Bonn' }, 'length')], 'ended with "length"'],
    ['not one that was filtered', [choice({ content: 'B' }, 'content_filter')], 'content_filter'],
    ['not an empty one', text(' \n'), 'the answer is empty'],
    ['not one that is marked', [choice({ refusal: 'No.' })], 'the model refused'],
    ['not an excuse', text('I’m sorry, but I can’t help with that.'), 'like a refusal'],
    ['not a plain refusal', text('I cannot assist with this request.'), 'like a refusal'],
    ['not an apology', text('I apologize, but I am unable to answer.'), 'like a refusal'],
    ['not what an AI says', text('As an AI language model, I can’t do that.'), 'like a refusal'],
    ['takes words of regret that go on', text('Sorry to hear that! Try this: rest.'), null],
    ['takes a refusal further down', text('He said: I cannot come.'), null],
  ])('%s', (_what, answer, reason) => {
    const why = whyNotAccepted('not_refused_not_cut_off', [answer], judging())

    expect(why ?? '').toContain(reason ?? '')
    expect(why === null).toBe(reason === null)
  })
})

test('a missing answer is not accepted', () => {
  for (const accept of ['agree', 'valid_json', 'tool_call_valid'] as const)
    expect(whyNotAccepted(accept, [[]], judging())).toBe('there is no answer')
})

test.each([
  ['agree', { n: 2 }, 'several answers are not compared'],
  ['agree', { n: 1 }, null],
  ['tool_call_valid', {}, 'the request has no tools'],
  ['tool_call_valid', { tools: [{ type: 'function' }] }, null],
  ['valid_json', {}, null],
] as const)('%s of %j: %s', (accept, body, reason) => {
  expect(whyNotApplicable(accept, { ...body, tools: 'tools' in body ? [...body.tools] : [] })).toBe(
    reason,
  )
})
