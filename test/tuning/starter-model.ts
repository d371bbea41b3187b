/** Models that answer a share of the starter set right. */
import { starterPrompts } from '../../src/service/tuning/starter-prompts.ts'
import type { Domain } from '../../src/shared/app/domains.ts'
import type { FakeModelScript, FakeRequest } from '../fake-provider.ts'
import type { SampleAnswers } from '../starter-set/answers.ts'
import { starterAnswers } from '../starter-set/starter-answers.ts'

interface Placed {
  domain: Domain
  /** Place within its domain, from 0 to below 1. */
  place: number
  answers: SampleAnswers | undefined
}

const prompts = starterPrompts()
const byPrompt: ReadonlyMap<string, Placed> = new Map(
  prompts.map(({ id, domain, prompt }) => {
    const ofDomain = prompts.filter((other) => other.domain === domain)
    const index = ofDomain.findIndex((other) => other.id === id)
    return [prompt, { domain, place: index / ofDomain.length, answers: starterAnswers[id] }]
  }),
)

/** The text of the last message of a request. */
export function promptOf({ body }: FakeRequest): string {
  const messages = (body?.['messages'] ?? []) as { content: string }[]
  return messages.at(-1)?.content ?? ''
}

/** A model that answers a share of each domain's prompts right. */
export function starterModel(abilityIn: (domain: Domain) => number): FakeModelScript {
  return (request) => {
    const placed = byPrompt.get(promptOf(request))
    if (!placed?.answers) return { text: 'I do not know.' }
    const { answers, domain, place } = placed
    return { text: place < abilityIn(domain) ? answers.right : answers.wrong[0] }
  }
}
