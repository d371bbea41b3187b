import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSealing } from './sealing.ts'

const key = randomBytes(32)
const secret = Buffer.from('a prompt and its answer')

test('a sealed value opens under its key and name, and contains none of its text', () => {
  const { seal, open } = createSealing(key)
  const sealed = seal('name', secret)
  expect(sealed.includes('prompt')).toBe(false)
  expect(open('name', sealed)).toEqual(secret)
  expect(seal('name', secret)).not.toEqual(sealed)
  // Another node, or this one after a restart.
  expect(createSealing(key).open('name', sealed)).toEqual(secret)
  expect(createSealing(key).seal('name', secret)).not.toEqual(sealed)
})

test.each([
  ['another key', createSealing(randomBytes(32)).open, 'name', (sealed: Buffer) => sealed],
  ['another name', createSealing(key).open, 'other', (sealed: Buffer) => sealed],
  ['a changed byte', createSealing(key).open, 'name', withChangedByte],
  ['a missing end', createSealing(key).open, 'name', (sealed: Buffer) => sealed.subarray(0, 20)],
])('a sealed value does not open with %s', (_case, open, name, change) => {
  expect(open(name, change(createSealing(key).seal('name', secret)))).toBeNull()
})

test('a hidden text has one name under a key, and another under another key', () => {
  const { hide } = createSealing(key)
  expect(hide('text')).toBe(createSealing(key).hide('text'))
  expect(hide('text')).not.toBe(createSealing(randomBytes(32)).hide('text'))
})

function withChangedByte(sealed: Buffer): Buffer {
  const changed = Buffer.from(sealed)
  changed.writeUInt8(changed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1)
  return changed
}
