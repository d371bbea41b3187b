/** The one list of checks: an added check applies to both ways into the chat, in the contract's order. */
import { readFile } from 'node:fs/promises'
import { Agent } from 'undici'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ServiceError } from '../../src/service/errors.ts'
import { checks, type Check, type Stage } from '../../src/service/http/checks/admission.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

let running: TestService
let ca = ''

const atEnd = endOfGroup()
beforeAll(async () => {
  running = await startTestService({}, atEnd)
  const endpoint = running.service.endpoint()
  ca = endpoint.status === 'listening' ? await readFile(endpoint.caFile, 'utf8') : ''
})

const ways = [
  { way: 'the fast lane', fastLane: true },
  { way: 'the general way', fastLane: false },
]

/** Adds a check to the list until the test ends. */
function plant(stage: Stage, check: Check): void {
  // The list is read-only for everyone but this test.
  const list = checks[stage] as Check[]
  list.push(check)
  onTestFinished(() => void list.splice(list.indexOf(check), 1))
}

/** Uses a connection of its own, because the way is chosen per connection. */
async function ask(): Promise<string> {
  const dispatcher = new Agent({ connect: { ca } })
  const response = await running.post('chat/completions', hello, { dispatcher })
  const text = await response.text()
  await dispatcher.close()
  return `${response.status} ${/"message":"(planted[^"]*)"/.exec(text)?.[1] ?? ''}`.trim()
}

describe.each(ways)('on $way', ({ fastLane }) => {
  beforeEach(async () => {
    await running.service.dashboard.setSetting('fastLane', fastLane)
  })

  test.each<Stage>(['arrival', 'router', 'bodyText', 'body'])(
    'a check added to the stage “%s” refuses the request',
    async (stage) => {
      expect(await ask()).toBe('200')
      plant(stage, () => {
        throw new ServiceError('invalid_parameter', `planted in ${stage}`)
      })

      expect(await ask()).toBe(`400 planted in ${stage}`)
    },
  )

  test('every check runs, in the order of its stages', async () => {
    const seen: Stage[] = []
    for (const stage of ['body', 'router', 'bodyText', 'arrival'] as const) {
      plant(stage, () => void seen.push(stage))
    }

    expect(await ask()).toBe('200')
    expect(seen).toEqual(['arrival', 'router', 'bodyText', 'body'])
  })

  test('a check receives the key and the body of its request', async () => {
    const seen: unknown[] = []
    plant('body', ({ caller, body }) => void seen.push(caller?.router.id, body))

    await ask()
    expect(seen).toEqual([running.routerId, hello])
  })
})

test('the fast lane refuses a request with the same response as the general way', async () => {
  await running.service.dashboard.setSetting('fastLane', true)
  let runs = 0
  plant('body', () => {
    runs += 1
    throw new ServiceError('invalid_parameter', `planted, run ${runs}`)
  })

  expect(await ask()).toBe('400 planted, run 2')
})
