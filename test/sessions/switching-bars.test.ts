/** The bars of changing models inside sessions, on few generated sessions; `npm run bench sessions` has them all. */
import { expect, test } from 'vitest'
import { generatedSessions } from '../../bench/sessions/generated.ts'
import { switchBars } from '../../bench/sessions/switching.ts'
import { isMissed, type Measurement } from '../../bench/measurement.ts'

/** Times depend on the machine, and a heap that no one collects on what else runs. */
const isOfMachine = ({ what }: Measurement) => what.startsWith('bar 15')

test('changes of the model keep to their bars in generated sessions', () => {
  const measured = switchBars([{ name: 'generated', sessions: generatedSessions(30) }])
  const judged = measured.filter((one) => one.target !== null && !isOfMachine(one))

  expect(judged.length).toBeGreaterThan(6)
  expect(judged.filter(isMissed)).toEqual([])
})
