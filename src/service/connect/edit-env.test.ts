import { expect, test } from 'vitest'
import { editEnv } from './edit-env.ts'

test('sets each variable in its line, or in a new one at the end', () => {
  const before = '# keys\nexport A=1\n B = 2 \nBB=3'
  expect(editEnv(before, { A: '7', B: 'two', C: '/a path/#x' })).toBe(
    "# keys\nexport A=7\nB=two\nBB=3\nC='/a path/#x'\n",
  )
  expect(editEnv('A=1\r\nB=2\r\n', { A: '3' })).toBe('A=3\r\nB=2\r\n')
  expect(editEnv(null, { A: '1' })).toBe('A=1\n')
})

test('keeps every other line of a file with both kinds of line ends', () => {
  expect(editEnv('A=1\r\nKEY=old\nOTHER=2\nB=3\r\n', { KEY: 'new', C: '4' })).toBe(
    'A=1\r\nKEY=new\nOTHER=2\nB=3\r\nC=4\r\n',
  )
})
