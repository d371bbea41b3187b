/** Bedrock with a profile of `~/.aws` in place of a stored key. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { bedrock } from '../../src/service/families/bedrock/upstream/bedrock.ts'
import { awsError, bedrockFormat } from './bedrock/fake.ts'
import { signatureProblems } from './bedrock/signature.ts'
import { answerOf } from './harness.ts'
import { createAdapter, readWhole } from './read-answer.ts'
import { startWireServer } from './wire-server.ts'

const oldId = 'ASIAOLDOLDOLDOLDOLDO'
const newId = 'ASIANEWNEWNEWNEWNEWN'

function profileFile(keyId: string): string {
  return `[work]\naws_access_key_id = ${keyId}\naws_secret_access_key = secret-${keyId}\naws_session_token = token/${keyId}\n`
}

/** A folder with one profile, and a server that accepts only the key `accepted` names. */
async function start(options: Readonly<Record<string, string>>, accepted: { id: string }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'modelport-aws-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const credentials = path.join(folder, 'credentials')
  await writeFile(credentials, profileFile(oldId))
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', credentials)
  vi.stubEnv('AWS_CONFIG_FILE', path.join(folder, 'config'))
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const server = await startWireServer({
    ...bedrockFormat,
    problems: () => [],
    whole(answer, request) {
      const secrets = { [accepted.id]: `secret-${accepted.id}` }
      if (signatureProblems(request, secrets).length === 0)
        return bedrockFormat.whole(answer, request)
      return awsError(403, 'ExpiredTokenException', 'The security token is expired')
    },
  })
  server.script({ answer: answerOf({ texts: ['Hello'] }) })
  onTestFinished(() => server.close())
  const provider = createAdapter(
    {
      wire: bedrock,
      basePath: '',
      options,
      create: (given) => bedrock.create({ ...given, apiKey: () => null }),
    },
    server.origin,
  )
  onTestFinished(() => provider.close())
  const wire = { provider, server, model: 'amazon.nova-pro-v1:0' }
  return { wire, server, credentials }
}

test('a request is signed with the profile’s keys and their session token', async () => {
  const { wire, server } = await start({ profile: 'work' }, { id: oldId })

  expect((await readWhole(wire)).text).toBe('Hello')
  expect(server.requests[0]?.headers['x-amz-security-token']).toBe(`token/${oldId}`)
})

test('a refused key is read again from the profile, and the request repeated', async () => {
  const accepted = { id: oldId }
  const { wire, server, credentials } = await start({ profile: 'work' }, accepted)
  await readWhole(wire)
  accepted.id = newId
  await writeFile(credentials, profileFile(newId))

  expect((await readWhole(wire)).text).toBe('Hello')
  expect(server.requests).toHaveLength(3)
})

test('an expired key that the profile still has is a rejected key', async () => {
  const { wire, server } = await start({ profile: 'work' }, { id: newId })

  await expect(readWhole(wire)).rejects.toMatchObject({ kind: 'auth' })
  expect(server.requests).toHaveLength(1)
})

test('a profile that does not exist sends no request, to AWS or anywhere', async () => {
  const { wire, server } = await start({ profile: 'other' }, { id: oldId })

  await expect(readWhole(wire)).rejects.toMatchObject({
    kind: 'no_key',
    message: expect.stringContaining('“other”'),
  })
  expect(server.requests).toHaveLength(0)
})

test('without a key and without the option, the profile is not read', async () => {
  const { wire, server } = await start({}, { id: oldId })

  await expect(readWhole(wire)).rejects.toMatchObject({ kind: 'no_key' })
  expect(server.requests).toHaveLength(0)
})
