import { expect, test } from 'vitest'
import { editEnv } from './edit-env.ts'

test('sets each variable in its line, or in a new one at the end', () => {
  const before = '# keys\nexport A=1\n B = 2 \nBB=3'
  expect(editEnv(before, { B: 'two', C: '/a path/#x' })).toBe(
    "# keys\nexport A=1\nB=two\nBB=3\nC='/a path/#x'\n",
  )
  expect(editEnv('A=1\r\nB=2\r\n', { A: '3' })).toBe('A=3\r\nB=2\r\n')
  expect(editEnv(null, { A: '1' })).toBe('A=1\n')
})
