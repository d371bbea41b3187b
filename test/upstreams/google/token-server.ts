/** Google's token endpoint for service accounts: a real server that verifies each assertion. */
import { createVerify, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jsonReply, type FakeReply } from '../harness.ts'
import { fieldsOf } from '../request-meaning.ts'

export interface TokenServer {
  /** The text of a service account's key file. @param email  of another account with the same private key */
  keyFile(email?: string): string
  /** The claims of each assertion whose signature is right. */
  claims: Readonly<Record<string, unknown>>[]
  /** What is wrong with the requests so far. */
  problems: string[]
  /** Answers all further requests; null gives tokens. */
  reply: FakeReply | null
  /** Resolves before each answer. */
  gate: Promise<void>
  close(): Promise<void>
}

/** Generated once: a key takes about 100 ms. */
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** The caller closes it. */
export async function startTokenServer(): Promise<TokenServer> {
  const state: Pick<TokenServer, 'claims' | 'problems' | 'reply' | 'gate'> = {
    claims: [],
    problems: [],
    reply: null,
    gate: Promise.resolve(),
  }
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(pieces).toString())
      const reply = replyTo(form, publicKey, state)
      void state.gate.then(() => response.writeHead(reply.status, reply.headers).end(reply.body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    keyFile: (email = 'modelport@project-1.iam.gserviceaccount.com') =>
      JSON.stringify({
        type: 'service_account',
        project_id: 'project-1',
        private_key_id: 'key-1',
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
        client_email: email,
        token_uri: `http://127.0.0.1:${port}/token`,
      }),
    close: async () => {
      server.close().closeAllConnections()
      await once(server, 'close')
    },
  })
}

function replyTo(
  form: URLSearchParams,
  key: KeyObject,
  state: Pick<TokenServer, 'claims' | 'problems' | 'reply'>,
): FakeReply {
  if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') {
    state.problems.push('the grant type is wrong')
  }
  const assertion = form.get('assertion') ?? ''
  const [header = '', claims = '', signature = ''] = assertion.split('.')
  const verify = createVerify('RSA-SHA256').update(`${header}.${claims}`)
  if (!verify.verify(key, signature, 'base64url')) state.problems.push('the signature is wrong')
  const { alg, typ, kid } = fieldsOf(decoded(header))
  if (alg !== 'RS256' || typ !== 'JWT' || kid !== 'key-1')
    state.problems.push('the header is wrong')
  state.claims.push(fieldsOf(decoded(claims)))
  const access_token = `ya29.token-${state.claims.length}`
  return state.reply ?? jsonReply(200, { access_token, expires_in: 3599, token_type: 'Bearer' })
}

function decoded(text: string): unknown {
  return JSON.parse(Buffer.from(text, 'base64url').toString())
}
