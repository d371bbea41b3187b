/**
 * A provider that cannot answer anyone with its current key: which provider answers instead, and when it is used
 * again.
 */
import { describe, expect, onTestFinished, test } from 'vitest'
import { openWorkspace } from '../../src/service/wiring/workspace.ts'
import { addOther, postTimes, works } from './failing-models.ts'
import { errorReply } from '../fake-provider.ts'
import { startTestService } from '../test-service.ts'

describe.each([
  ['rejects the key', 401, 'key_rejected'],
  ['is out of credit', 402, 'out_of_credit'],
] as const)('a provider that %s', (_what, status, problem) => {
  const says = { reply: errorReply(status) }

  test('is taken out of use with all its models, and another provider answers', async () => {
    const upstream = await startTestService({ models: { a: says, b: says } })
    const { fake, other } = await addOther(upstream, { c: works }, ['fake:a', 'fake:b'])

    const answers = await postTimes(upstream, 3)

    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
    expect(fake.requestCount()).toBe(1)
    expect(other.requestCount()).toBe(3)
    const [, health] = (await upstream.service.dashboard.providers()).map(
      (provider) => provider.health,
    )
    expect(health).toMatchObject({ status: 'failing', problem })
  })

  test('is used again after its key was replaced', async () => {
    const upstream = await startTestService({ models: { only: says } })
    await postTimes(upstream, 2)
    upstream.fake.setModel('only', works)
    const [out] = await postTimes(upstream, 1)

    await upstream.service.dashboard.setProviderKey('fake', 'sk-another-fake-key')
    const [back] = await postTimes(upstream, 1)

    expect(out).toMatchObject({ status: 503, shouldRetry: 'false' })
    expect(back).toMatchObject({ status: 200 })
    expect(upstream.fake.requests.at(-1)?.headers.authorization).toBe('Bearer sk-another-fake-key')
  })

  test('is used again after another process tested it', async () => {
    const upstream = await startTestService({ models: { only: says } })
    await postTimes(upstream, 2)
    upstream.fake.setModel('only', works)
    const command = await openWorkspace({
      dataDir: upstream.dataDir,
      cacheDir: upstream.dataDir,
      allowSessionSecrets: true,
      env: {},
      extraCa: upstream.fake.ca === null ? [] : [upstream.fake.ca],
    })
    onTestFinished(() => command.close())

    await command.dashboard.testProvider('fake')

    await expect.poll(() => postTimes(upstream, 1)).toMatchObject([{ status: 200 }])
  })

  test('is used again after a successful test', async () => {
    const upstream = await startTestService({ models: { only: says } })
    await postTimes(upstream, 2)
    upstream.fake.setModel('only', works)

    await upstream.service.dashboard.testProvider('fake')
    const [back] = await postTimes(upstream, 1)

    expect(back).toMatchObject({ status: 200 })
  })
})
