import { expect, test, vi } from 'vitest'
import { readCredentials, SharedKeys, type FoundKeys } from './credentials.ts'

const id = 'AKIAIOSFODNN7EXAMPLE'

test.each([
  [`${id}:s/ecr+et`, { keys: { accessKeyId: id, secretAccessKey: 's/ecr+et' } }],
  [
    'ASIAIOSFODNN7EXAMPLE:secret:tok==',
    {
      keys: {
        accessKeyId: 'ASIAIOSFODNN7EXAMPLE',
        secretAccessKey: 'secret',
        sessionToken: 'tok==',
      },
    },
  ],
  ['ABSKQmVkcm9jaw==', { apiKey: 'ABSKQmVkcm9jaw==' }],
  ['bedrock-api-key-YmVk&Version=1', { apiKey: 'bedrock-api-key-YmVk&Version=1' }],
])('%s is read', (key, credentials) => {
  expect(readCredentials(key)).toEqual(credentials)
})

test('access keys in another form are rejected with the right form', () => {
  expect(() => readCredentials(id)).toThrow('ACCESS_KEY_ID:SECRET_ACCESS_KEY')
  expect(() => readCredentials(`${id} secret`)).toThrow(expect.objectContaining({ kind: 'auth' }))
})

test('without a key there is none to send', () => {
  expect(() => readCredentials(null)).toThrow(expect.objectContaining({ kind: 'no_key' }))
})

function shared(load: () => Promise<FoundKeys>, now: () => number = () => 0) {
  return new SharedKeys({ load, notFound: 'no credentials', now })
}

test('a thousand requests read the keys once', async () => {
  const load = vi.fn<() => Promise<FoundKeys>>(async () => ({
    accessKeyId: 'A',
    secretAccessKey: 'B',
  }))
  const keys = shared(load)

  const read = await Promise.all(Array.from({ length: 1_000 }, () => keys.current()))

  expect(new Set(read)).toEqual(new Set(['A:B']))
  expect(load).toHaveBeenCalledTimes(1)
})

test('keys are read again five minutes before they expire', async () => {
  let nowMs = 0
  let nth = 0
  const keys = shared(
    async () => {
      nth += 1
      const expiration = new Date(nowMs + 3_600_000)
      return { accessKeyId: 'A', secretAccessKey: 'B', sessionToken: String(nth), expiration }
    },
    () => nowMs,
  )

  expect(await keys.current()).toBe('A:B:1')
  nowMs = 3_300_000
  expect(await keys.current()).toBe('A:B:1')
  nowMs = 3_300_001
  expect(await Promise.all([keys.current(), keys.current()])).toEqual(['A:B:2', 'A:B:2'])
})

test('a failed read is an error without AWS’s words, and the next request tries again', async () => {
  let isSignedIn = false
  const keys = shared(async () => {
    if (!isSignedIn) throw new Error('The SSO session associated with /home/a/.aws/sso has expired')
    return { accessKeyId: 'A', secretAccessKey: 'B' }
  })

  await expect(keys.current()).rejects.toMatchObject({ kind: 'no_key', message: 'no credentials' })
  isSignedIn = true
  expect(await keys.current()).toBe('A:B')
})
