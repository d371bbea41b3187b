import { expect, test } from 'vitest'
import { z } from 'zod'
import { inputMessage } from './input-messages.ts'

const shape = z.discriminatedUnion('type', [
  z.object({ type: z.literal('a') }),
  z.object({ type: z.literal('b') }),
])

test.each<[string, z.ZodType, unknown, string]>([
  ['a missing field', z.string(), undefined, 'This field is required'],
  ['a text for a number', z.number(), 'x', 'Enter a number'],
  ['a fraction for a whole number', z.int(), 1.5, 'Enter a whole number'],
  ['a number for a text', z.string(), 1, 'Enter a text'],
  ['a small number', z.number().min(2), 1, 'Enter 2 or more'],
  ['a number at an exclusive limit', z.number().gt(0), 0, 'Enter more than 0'],
  ['a large number', z.number().max(65_535), 70_000, 'Enter 65,535 or less'],
  ['an empty text', z.string().min(1), '', 'This field is required'],
  ['a long text', z.string().max(2), 'abc', 'Use 2 characters at most'],
  ['an empty list', z.array(z.string()).min(1), [], 'Add at least 1'],
  ['an unknown choice', z.enum(['a', 'b']), 'c', 'Choose one of: a, b'],
  ['an unknown type of object', shape, { type: 'c' }, 'Choose one of: a, b'],
  ['an unknown field', z.strictObject({}), { x: 1 }, 'Unknown field: x'],
  ['no address', z.url(), 'x', 'Enter a complete address, such as https://example.com'],
  ['a message of the schema', z.number('Enter a price'), 'x', 'Enter a price'],
])('%s has a message in plain English', (_what, schema, input, message) => {
  const parsed = schema.safeParse(input, { error: inputMessage })

  expect(parsed.error?.issues[0]?.message).toBe(message)
})
