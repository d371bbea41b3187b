/** Vendors that refuse what the real ones refuse inside a loop of tool calls, and else answer at random. */
import { onTestFinished } from 'vitest'
import { fieldsOf } from '../../src/service/json-fields.ts'
import type { Chance } from '../agents/random.ts'
import { answerOf, jsonReply, type FakeFormat, type UsageMeaning } from '../upstreams/harness.ts'
import { startWireServer, type FakeScript, type WireServer } from '../upstreams/wire-server.ts'
import { modelOf, refusal, signing, type Rules } from './vendor-rules.ts'

export interface StrictVendor {
  server: WireServer
  /** Why requests were refused, each with the model. */
  refused: string[]
  /** Models that do not answer now. */
  down: Set<string>
  /** Tokens that were billed, by model; the test empties it. */
  billed: { model: string; usage: UsageMeaning }[]
}

interface VendorOptions {
  rules: Rules
  chance: () => Chance
  /** When the vendor ends; with the test. */
  atEnd?: (end: () => Promise<void>) => void
}

export async function startStrictVendor(
  format: FakeFormat,
  { rules, chance, atEnd = onTestFinished }: VendorOptions,
): Promise<StrictVendor> {
  const authors = new Map<unknown, string>()
  const server = await startWireServer(signing(format, authors))
  atEnd(() => server.close())
  const vendor: StrictVendor = { server, refused: [], down: new Set(), billed: [] }
  server.script((request) => {
    const model = modelOf(request)
    if (vendor.down.has(model)) return { reply: overloaded }
    const body = fieldsOf(request.body)
    const problems = [...format.problems(request), ...rules(body, (proof) => authors.get(proof))]
    if (problems.length > 0) {
      vendor.refused.push(`${model}: ${problems.join('; ')}`)
      return { reply: refusal(problems.join('; ')) }
    }
    const script = randomAnswer(chance(), server.requests.length)
    vendor.billed.push({ model, usage: script.answer.usage })
    return script
  })
  return vendor
}

const overloaded = jsonReply(503, { error: { type: 'overloaded_error', message: 'Overloaded' } })

function randomAnswer(chance: Chance, nth: number): Extract<FakeScript, { answer: unknown }> {
  const promptTokens = 1_000 + chance.below(50_000)
  const cachedTokens = chance.below(promptTokens)
  const usage: UsageMeaning = {
    promptTokens,
    cachedTokens,
    cacheWriteTokens: 0,
    completionTokens: 1 + chance.below(900),
    reasoningTokens: 0,
  }
  const reasoning = chance.isTrue(0.8) ? ['I think ', `of ${nth}.`] : []
  if (chance.isTrue(0.25)) return { answer: answerOf({ reasoning, texts: ['Done.'], usage }) }
  const toolCalls = Array.from({ length: 1 + chance.below(2) }, () => ({
    id: `call_${nth}_${chance.below(1e9)}`,
    name: chance.pick(['Read', 'Edit', 'Bash'] as const),
    arguments: `{"path":"file ${nth}","command":"npm test"}`,
  }))
  return { answer: answerOf({ reasoning, toolCalls, usage }) }
}
