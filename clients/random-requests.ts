/** Random conversations through every door to every upstream. */
import { readFile } from 'node:fs/promises'
import { Agent, fetch } from 'undici'
import { seeded, type Chance } from '../test/agents/random.ts'
import { carriedByAllDoors, doorForms } from '../test/endpoints/random-bodies.ts'
import type { Feature } from '../test/upstreams/features.ts'
import { randomRequest } from '../test/upstreams/random-conversation.ts'
import type { Door } from './check.ts'
import type { TestBed } from './test-bed.ts'

/** Requests at once, so that the command does not wait for one round trip after another. */
const atOnce = 8

/** Features that are not sent to chat completions: the upstreams' models lack them, or OpenAI has no form for them. */
const notSent: readonly Feature[] = [
  'a seed',
  'a document',
  'a failed tool result',
  'a tool result with an image',
]

export interface RandomRequests {
  door: Door
  count: number
}

/** @returns what did not succeed, in sentences */
export async function sendRandomRequests(
  bed: TestBed,
  { door, count }: RandomRequests,
): Promise<string[]> {
  const dispatcher = new Agent({ connect: { ca: await readFile(bed.caFile, 'utf8') } })
  const routers = [
    bed.routers.OpenAI.chat,
    bed.routers.OpenAI.responses,
    bed.routers.Anthropic.chat,
  ]
  const problems: string[] = []
  let next = 0
  const lane = async () => {
    for (let seed = next; seed < count; seed = next) {
      next += 1
      const router = routers[seed % routers.length]
      const { path } = doorForms[door]
      const answer = await fetch(`${bed.origin}/api/router/${router}/${path}`, {
        method: 'POST',
        dispatcher,
        headers: { authorization: `Bearer ${bed.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(randomBody(door, seeded(seed), `Question ${seed} at ${door}`)),
      })
      const text = await answer.text()
      if (!answer.ok) problems.push(`request ${seed} got ${answer.status}: ${text}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  await dispatcher.close()
  return problems
}

function randomBody(door: Door, chance: Chance, mark: string): object {
  const carries = (feature: Feature) =>
    door === 'chat' ? !notSent.includes(feature) : carriedByAllDoors.includes(feature)
  const chat = randomRequest({ chance, carries, reasoning: null }, mark)
  return { ...doorForms[door].body(chat), ...(chance.isTrue(0.5) && { stream: true }) }
}
