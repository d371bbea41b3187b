/** The suite that every wire passes: requests, answers, errors and aborts, over real sockets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChatRequest } from '../../src/shared/chat/chat.ts'
import { createProvider } from '../../src/service/provider-types/provider-types.ts'
import type { Capability } from '../../src/shared/models/model-abilities.ts'
import type { Provider } from '../../src/service/providers/provider.ts'
import { describeAnswers } from './describe-answers.ts'
import { describeFailures } from './describe-failures.ts'
import { describeFaults } from './describe-faults.ts'
import { describeHttpFaults } from './describe-http-faults.ts'
import { describeRoundTrips } from './describe-round-trips.ts'
import { featureList } from './features.ts'
import { answerOf, type Difference, type WireHarness } from './harness.ts'
import { meaningOf, type RequestMeaning } from './request-meaning.ts'
import { createAdapter, readWhole, type StartedWire } from './read-answer.ts'
import { startWireServer } from './wire-server.ts'

export function describeProvider(name: string, harness: WireHarness): void {
  describe(`the ${name} wire`, () => {
    const wire = startedWire(harness)
    describeRequests(harness, wire)
    describeAnswers(harness, wire)
    describeFailures(harness, wire)
    describePresets(harness, wire)
    describeRoundTrips(harness, wire)
    describeFaults(harness, wire)
    describeHttpFaults(harness, wire)
  })
}

/** Filled before the first test. */
function startedWire(harness: WireHarness): StartedWire {
  const wire = {} as StartedWire
  beforeAll(async () => {
    const server = await startWireServer(harness.format)
    wire.server = server
    wire.provider = createAdapter(harness, server.origin)
    wire.model = harness.model ?? 'some/model:1'
  })
  afterAll(async () => {
    await wire.provider.close()
    await wire.server.close()
  })
  return wire
}

function describeRequests(harness: WireHarness, wire: StartedWire): void {
  const carried = featureList.filter(({ name }) => typeof differenceOf(harness, name) !== 'string')
  const needs = featureList.filter(({ name }) => differenceOf(harness, name) === 'need')
  const leftOut = featureList.filter(({ name }) => differenceOf(harness, name) === 'left_out')

  test.each(carried)('carries $name', async ({ name, body }) => {
    const difference = differenceOf(harness, name)
    const expected = meaningOf(body, wire.model)

    const sent = await sentMeaning(harness, wire, body)

    const adapted = typeof difference === 'function' ? difference(expected) : expected
    expect(sent).toMatchObject(saidOnly(normal(harness, adapted)))
  })

  test.each(needs)('never gets $name', async ({ body, capability }) => {
    const isLost = capability !== undefined && lostBy(harness, wire).includes(capability)
    expect(isLost || (await isRefused(wire, body))).toBe(true)
  })

  test.each(leftOut)('leaves out $name and reports it', async ({ body, parameter }) => {
    const reported = wire.provider.leftOut?.(body, wire.model) ?? []

    const sent = await sentMeaning(harness, wire, body)

    // A wire may name the part that it leaves out, such as `reasoning.max_tokens`.
    expect(reported.map((each) => each.parameter.split('.')[0])).toContain(parameter)
    const { items } = normal(harness, meaningOf(body, wire.model))
    expect(sent.items.length).toBeLessThanOrEqual(items.length)
  })

  test('reports nothing for a plain question', () => {
    expect(wire.provider.leftOut?.(plain, wire.model) ?? []).toEqual([])
  })
}

function lostBy(
  { wire: { lacks = [] }, options = {} }: WireHarness,
  { model }: StartedWire,
): readonly Capability[] {
  return typeof lacks === 'function' ? lacks(model, options) : lacks
}

const plain: ChatRequest = { messages: [{ role: 'user', content: 'Hello' }] }

function differenceOf(
  { differs }: WireHarness,
  name: (typeof featureList)[number]['name'],
): Difference | undefined {
  return differs[name]
}

/** The meaning of the sent request. Both ways of sending must mean the same; the vendor's types must accept both. */
async function sentMeaning(
  harness: WireHarness,
  { server, provider, model }: StartedWire,
  body: ChatRequest,
): Promise<RequestMeaning> {
  server.script({ answer: answerOf({ texts: ['Hi'] }) })
  server.requests.length = 0
  server.problems.length = 0
  const request = { model, body }
  await provider.complete(request, new AbortController().signal)
  for await (const chunk of provider.stream(request, new AbortController().signal)) void chunk
  expect(server.problems).toEqual([])
  const [whole, streamed] = server.requests.map((each) =>
    normal(harness, harness.format.read(each)),
  )
  expect(whole).toEqual(streamed)
  if (whole === undefined) throw new Error('no request arrived')
  return whole
}

async function isRefused(
  { server, provider, model }: StartedWire,
  body: ChatRequest,
): Promise<boolean> {
  server.requests.length = 0
  const refusal = provider.complete({ model, body }, new AbortController().signal)
  await expect(refusal).rejects.toMatchObject({ name: 'ProviderError', kind: 'request' })
  return server.requests.length === 0
}

function normal({ normalize }: WireHarness, meaning: RequestMeaning): RequestMeaning {
  return normalize === undefined ? meaning : normalize(meaning)
}

/** The meaning without what the request does not say: some vendors require a value, and a wire sends one. */
function saidOnly(meaning: RequestMeaning): Partial<RequestMeaning> {
  const said = Object.entries(meaning).filter(([, value]) => value !== null)
  return Object.fromEntries(said) as Partial<RequestMeaning>
}

function describePresets(harness: WireHarness, wire: StartedWire): void {
  test.each(harness.presets)('the preset %s answers', async (type) => {
    const provider = createPreset(type, harness, wire)
    wire.server.script({ answer: answerOf({ texts: ['Hello'] }) })
    wire.server.problems.length = 0

    const answer = await readWhole({ provider, model: wire.model })

    expect(answer.text).toBe('Hello')
    expect(wire.server.problems).toEqual([])
    await provider.close()
  })
}

function createPreset(type: string, harness: WireHarness, wire: StartedWire): Provider {
  return createAdapter(
    {
      ...harness,
      create: (connection) => createProvider(type, { ...connection, localModel: wire.provider }),
    },
    wire.server.origin,
  )
}
