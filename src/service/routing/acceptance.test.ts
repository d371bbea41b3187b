/** Tests which answers of a cascade's tier are accepted, and why others are not. */
import { describe, expect, test } from 'vitest'
import type { ChatCompletion, CompletionMessage } from '../../shared/chat/chat.ts'
import { whyNotAccepted, whyNotApplicable, type AcceptanceContext } from './acceptance.ts'

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
function judging(body: AcceptanceContext['body'] = {}): AcceptanceContext {
  return {
    body,
    readsOnly: ({ message }) => message.tool_calls?.[0]?.function?.name === 'read',
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

  test.each<[string, AcceptanceContext['body'], string, string | null]>([
    ['accepts any JSON', {}, '[1]', null],
    ['rejects text', {}, 'Here it is: [1]', 'the answer is not JSON'],
    ['rejects truncated JSON', {}, '{"city":', 'the answer is not JSON'],
    ['accepts an object', { response_format: { type: 'json_object' } }, '{}', null],
    [
      'rejects a list when the request wants an object',
      { response_format: { type: 'json_object' } },
      '[1]',
      'the answer is not a JSON object',
    ],
    ['accepts JSON that matches the schema', { response_format: schema }, '{"city":"Bonn"}', null],
    [
      'rejects JSON that does not match the schema',
      { response_format: schema },
      '{"town":"Bonn"}',
      'the answer does not match the schema',
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
    ['accepts a call that matches its tool’s schema', calling('find', '{"city":"Bonn"}'), null],
    ['accepts a call of a tool without parameters', calling('now', '{}'), null],
    ['rejects text', text('Bonn'), 'the answer calls no tool'],
    [
      'rejects a call of another tool',
      calling('search', '{"city":"Bonn"}'),
      'the answer calls a tool that the request does not have',
    ],
    [
      'rejects arguments that are not JSON',
      calling('find', '{"city":'),
      'the arguments of a call are not a JSON object',
    ],
    [
      'rejects arguments that are not an object',
      calling('find', '"Bonn"'),
      'the arguments of a call are not a JSON object',
    ],
    [
      'rejects arguments that do not match the schema',
      calling('find', '{"town":"Bonn"}'),
      'the arguments of a call do not match its tool’s schema',
    ],
  ])('%s', (_what, answer, reason) => {
    expect(whyNotAccepted('tool_call_valid', [answer], judging({ tools }))).toBe(reason)
  })
})

describe('not_refused_not_cut_off', () => {
  test.each<[string, Choice[], string | null]>([
    ['accepts a complete text', text('Bonn is on the Rhine.'), null],
    ['accepts a tool call', [choice({ ...calling('f', '{}')[0]?.message }, 'tool_calls')], null],
    ['rejects a truncated answer', [choice({ content: 'Bonn' }, 'length')], 'ended with "length"'],
    ['rejects a filtered answer', [choice({ content: 'B' }, 'content_filter')], 'content_filter'],
    ['rejects an empty answer', text(' \n'), 'the answer is empty'],
    ['rejects a marked refusal', [choice({ refusal: 'No.' })], 'the model refused'],
    ['rejects an excuse', text('I’m sorry, but I can’t help with that.'), 'like a refusal'],
    ['rejects a plain refusal', text('I cannot assist with this request.'), 'like a refusal'],
    ['rejects an apology', text('I apologize, but I am unable to answer.'), 'like a refusal'],
    [
      'rejects “As an AI language model”',
      text('As an AI language model, I can’t do that.'),
      'like a refusal',
    ],
    ['accepts words of regret before an answer', text('Sorry to hear that! Try this: rest.'), null],
    ['accepts a refusal later in the text', text('He said: I cannot come.'), null],
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
