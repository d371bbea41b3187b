import { expect, test } from 'vitest'
import { startRedis } from '../../../test/engines/redis.ts'
import { examineSharedState } from './shared-state.ts'

const examine = (env: Record<string, string>) =>
  examineSharedState({ dataDir: '', cacheDir: '', allowSessionSecrets: false, env })

test('says nothing about a node on its own', async () => {
  expect(await examine({})).toEqual([])
})

test('says whether the Valkey of the environment can be used, without its password', async () => {
  const { port } = await startRedis(['--requirepass', 'right'])
  const [good] = await examine({ MODELPORT_SHARED_URL: `valkey://:right@127.0.0.1:${port}` })
  const [bad] = await examine({ MODELPORT_SHARED_URL: `valkey://:wrong@127.0.0.1:${port}` })
  const [unread] = await examine({ MODELPORT_SHARED_URL: 'wrong' })
  expect(good).toMatchObject({ status: 'ok', message: `127.0.0.1:${port} answers.` })
  expect(bad).toMatchObject({ status: 'fail', message: expect.stringContaining('WRONGPASS') })
  expect(bad?.message).not.toContain(':wrong')
  expect(unread).toMatchObject({ status: 'fail', message: expect.stringContaining('no address') })
})
