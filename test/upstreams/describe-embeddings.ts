/** The suite of every wire with embeddings, over real sockets, with the vendor's own SDK as the measure of requests. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type {
  EmbeddingsRequest,
  ProviderEmbeddings,
} from '../../src/service/providers/embeddings.ts'
import { ProviderError, type Provider } from '../../src/service/providers/provider.ts'
import { vectorOf } from '../fake-provider/embeddings.ts'
import { jsonReply, type FakeFormat, type FakeReply, type WireHarness } from './harness.ts'
import { createAdapter } from './read-answer.ts'
import { fieldsOf } from './request-meaning.ts'
import { startWireServer, type WireServer } from './wire-server.ts'

export interface EmbeddingsHarness extends Pick<
  WireHarness,
  'wire' | 'create' | 'basePath' | 'options'
> {
  model: string
  takesTokens: boolean
  /** Inputs of one request that the vendor documents; absent: any number. */
  mostInputs?: number
  /** The vendor's own field for the number of dimensions, wherever it is in a body; null: none. */
  dimensionsField: string | null
  /** The inputs of a request in the vendor's form. */
  inputsIn(body: Readonly<Record<string, unknown>>): readonly unknown[]
  /** An answer in the vendor's form. */
  reply(vectors: readonly number[][], tokens: number): FakeReply
  /** Sends texts with 4 dimensions through the vendor's SDK. */
  sdk(url: string, model: string, texts: string[]): Promise<unknown>
  /** Members of Modelport's body that the SDK leaves to the caller. */
  added?: Readonly<Record<string, unknown>>
}

const tokensPerInput = 3

interface Started {
  server: WireServer
  provider: Provider
}

export function describeEmbeddings(name: string, harness: EmbeddingsHarness): void {
  describe(`embeddings of the ${name} wire`, () => {
    const wire = started(harness)
    describeAnswers(harness, wire)
    describeRefusals(harness, wire)
  })
}

/** Filled before the first test. */
function started(harness: EmbeddingsHarness): Started {
  const wire = {} as Started
  beforeAll(async () => {
    wire.server = await startWireServer(formatOf())
    wire.provider = createAdapter(harness, wire.server.origin)
  })
  beforeEach(() => {
    wire.server.requests.length = 0
    wire.server.script(({ body }) => {
      const inputs = harness.inputsIn(fieldsOf(body))
      const vectors = inputs.map((input) => vectorOf(input, 4))
      return { reply: harness.reply(vectors, tokensPerInput * inputs.length) }
    })
  })
  afterAll(async () => {
    await wire.provider.close()
    await wire.server.close()
  })
  return wire
}

function describeAnswers(harness: EmbeddingsHarness, wire: Started): void {
  test('each text has its vector, and the tokens are counted', async () => {
    const { vectors, promptTokens } = await embed(harness, wire, { inputs: ['Hello', 'World'] })

    expect(vectors).toEqual([vectorOf('Hello', 4), vectorOf('World', 4)])
    expect(promptTokens).toBe(2 * tokensPerInput)
  })

  test('the request is that of the vendor’s SDK', async () => {
    const inputs = ['Hello']
    await harness.sdk(`${wire.server.origin}${harness.basePath}`, harness.model, inputs)
    const [ofSdk] = wire.server.requests.splice(0)

    await embed(harness, wire, { inputs, dimensions: harness.dimensionsField === null ? null : 4 })

    const [ours] = wire.server.requests
    expect(ours?.path).toBe(ofSdk?.path)
    const expected = merged(fieldsOf(withoutRoles(ofSdk?.body)), harness.added ?? {})
    expect(ours?.body).toEqual(expected)
  })

  test('the number of dimensions reaches the vendor if it has a field for it', async () => {
    await embed(harness, wire, { inputs: ['Hello'], dimensions: 4 })

    const { dimensionsField: field } = harness
    const text = wire.server.requests[0]?.text ?? ''
    expect(text.includes(field === null ? 'imension' : `"${field}":4`)).toBe(field !== null)
  })

  test('a batch is split as the vendor documents it, and joined in order', async () => {
    const { mostInputs = Infinity } = harness
    const count = mostInputs === Infinity ? 10 : Math.max(mostInputs + 1, 20)
    const inputs = Array.from({ length: count }, (_, index) => `text ${index}`)

    const { vectors, promptTokens } = await embed(harness, wire, { inputs })

    expect(wire.server.requests).toHaveLength(Math.max(1, Math.ceil(count / mostInputs)))
    expect(vectors).toEqual(inputs.map((text) => vectorOf(text, 4)))
    expect(promptTokens).toBe(count * tokensPerInput)
  })
}

function describeRefusals(harness: EmbeddingsHarness, wire: Started): void {
  test(`tokens are ${harness.takesTokens ? 'sent as they are' : 'refused with a way out'}`, async () => {
    const outcome = await outcomeOf(embed(harness, wire, { inputs: [[1, 2, 3]] }))

    expect(outcome).toEqual(harness.takesTokens ? [vectorOf([1, 2, 3], 4)] : 'request')
  })

  test.each([
    ['a rate limit', jsonReply(429, {}), 'rate_limit'],
    ['a failing server', jsonReply(500, {}), 'unavailable'],
    ['an answer of another form', jsonReply(200, { data: 'none' }), 'invalid_response'],
    ['an answer that is not JSON', { ...jsonReply(200, {}), body: '<html>' }, 'invalid_response'],
  ])('%s is reported as such', async (_name, reply, kind) => {
    wire.server.script({ reply })

    await expect(embed(harness, wire, { inputs: ['Hello'] })).rejects.toMatchObject({ kind })
  })

  test('another number of vectors than inputs is no answer', async () => {
    wire.server.script({ reply: harness.reply([], 6) })

    const outcome = await outcomeOf(embed(harness, wire, { inputs: ['Hello'] }))

    expect(outcome).toBe('invalid_response')
  })

  test('an abort closes the request', async () => {
    wire.server.script('hang')
    const controller = new AbortController()
    const arrived = wire.server.nextRequest()
    const asked = embed(harness, wire, { inputs: ['Hello'] }, controller.signal)
    const { aborted } = await arrived

    controller.abort(new Error('left'))

    await expect(asked).rejects.toThrow('left')
    await aborted
  })
}

async function embed(
  { model }: EmbeddingsHarness,
  { provider }: Started,
  given: Partial<EmbeddingsRequest>,
  signal = new AbortController().signal,
): Promise<ProviderEmbeddings> {
  const request: EmbeddingsRequest = {
    model,
    inputs: [],
    dimensions: null,
    encoding: 'float',
    fields: {},
    ...given,
  }
  if (provider.embed === undefined) throw new Error('the provider has no embeddings')
  return await provider.embed(request, signal)
}

/** The vectors, or the kind of failure. */
async function outcomeOf(asked: Promise<ProviderEmbeddings>): Promise<unknown> {
  try {
    return (await asked).vectors
  } catch (error) {
    return error instanceof ProviderError ? error.kind : error
  }
}

/** Recursively, as the SDK's body with more members. */
function merged(body: Readonly<Record<string, unknown>>, added: Readonly<Record<string, unknown>>) {
  const together: Record<string, unknown> = { ...body }
  for (const [name, value] of Object.entries(added)) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    together[name] = isObject ? merged(fieldsOf(body[name]), fieldsOf(value)) : value
  }
  return together
}

/** Google's SDK sends the role of a chat, which has no meaning here. */
function withoutRoles(body: unknown): unknown {
  const text = JSON.stringify(body, (name, value: unknown) => (name === 'role' ? undefined : value))
  return JSON.parse(text) as unknown
}

/** The wire server's form of a vendor: every request is answered by the test's script. */
function formatOf(): FakeFormat {
  const unused = (): never => {
    throw new Error('embeddings have no such answer')
  }
  return {
    route: ({ method }) => (method === 'POST' ? 'whole' : null),
    problems: () => [],
    read: unused,
    whole: unused,
    stream: unused,
    models: unused,
    rateLimited: jsonReply(429, {}),
  }
}
