import { expect, test } from 'vitest'
import { emptyFigures } from '../../../../test/renderer-harness/sample-report.ts'
import { errorsOf } from './errors.ts'

test('requests that the caller ended are errors too', () => {
  const figures = { answered: 4, limited: 1, refused: 1, aborted: 1, failed: 1 }
  expect(errorsOf(emptyFigures({ requests: 8, ...figures }))).toBe(4)
})
