import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { RefusalTurns } from './refusal-turns.ts'

test('one refusal is sent in each turn of the event loop, in their order', async () => {
  const turns = new RefusalTurns()
  const events: string[] = []
  for (const name of ['first', 'second', 'third']) {
    void turns.next().then(() => events.push(name))
  }

  for (const turn of ['turn 1', 'turn 2', 'turn 3']) {
    await nextTurn()
    events.push(turn)
  }

  // The first waits for no turn: a caller that closes its side after the request would miss it.
  expect(events).toEqual(['first', 'second', 'turn 1', 'third', 'turn 2', 'turn 3'])
})
