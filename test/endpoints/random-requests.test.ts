/**
 * Random conversations and answers at every door, whole and streamed: each answer is of the type that the vendor
 * publishes.
 */
import { beforeAll, expect, test } from 'vitest'
import { seeded, type Chance } from '../agents/random.ts'
import type { FakeModel } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { randomSeeds } from '../torture/amounts.ts'
import { randomAnswer, randomRequest } from '../upstreams/random-conversation.ts'
import { carriedByAllDoors, doorForms, type DoorForm } from './random-bodies.ts'
import {
  problemsOfChunk,
  problemsOfCompletion,
  problemsOfGeneration,
  problemsOfMessageEvent,
  problemsOfResponse,
  problemsOfResponseEvent,
} from './vendor-types.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

const seeds = randomSeeds({ quick: 40, full: 1_000 })

let started: TestService

const atEnd = endOfGroup()
beforeAll(async () => {
  started = await startTestService({ models: { one: {} } }, atEnd)
})

function randomModel(chance: Chance): FakeModel {
  const { texts, reasoning, toolCalls } = randomAnswer(chance)
  return {
    text: texts.join(' '),
    chunks: 1 + chance.below(6),
    ...(reasoning.length > 0 && { reasoning: reasoning.join(' ') }),
    ...(toolCalls.length > 0 && {
      toolCalls: toolCalls.map(({ id, name, arguments: text }, index) => {
        const cut = chance.below(text.length)
        return { index, id, name, argumentPieces: [text.slice(0, cut), text.slice(cut)] }
      }),
    }),
    ...(toolCalls.length === 0 &&
      chance.isTrue(0.2) && { finishReason: chance.pick(['length', 'content_filter']) }),
    ...(chance.isTrue(0.2) && { usage: 'none' as const }),
  }
}

type Json = Record<string, unknown>

interface Door extends DoorForm {
  /** The violations of a whole answer, without `_meta`. */
  ofAnswer: (answer: Json) => readonly string[]
  ofEvent: (event: Json) => readonly string[]
}

const doors: Record<keyof typeof doorForms, Door> = {
  chat: {
    ...doorForms.chat,
    ofAnswer: (answer) => problemsOfCompletion(withoutReasoning(answer, 'message')),
    ofEvent: (chunk) => problemsOfChunk(withoutReasoning(chunk, 'delta')),
  },
  responses: {
    ...doorForms.responses,
    ofAnswer: problemsOfResponse,
    ofEvent: problemsOfResponseEvent,
  },
  messages: {
    ...doorForms.messages,
    // The first event of a stream has a whole message.
    ofAnswer: (message) => problemsOfMessageEvent({ type: 'message_start', message }),
    ofEvent: problemsOfMessageEvent,
  },
  gemini: {
    ...doorForms.gemini,
    ofAnswer: problemsOfGeneration,
    ofEvent: problemsOfGeneration,
  },
}

/** Reasoning is an extension of OpenAI's chat form that the vendor's types do not have. */
function withoutReasoning(answer: Json, name: 'message' | 'delta'): Json {
  const choices = (answer['choices'] as Json[]).map((choice) => {
    const {
      reasoning_content: _content,
      reasoning_details: _details,
      ...rest
    } = choice[name] as Json
    return { ...choice, [name]: rest }
  })
  return { ...answer, choices }
}

function withoutMeta({ _meta, ...answer }: Json): Json {
  return answer
}

/** The events of a stream, without `_meta`. Those of chat have no names. */
function readEvents(text: string): Json[] {
  const data = text
    .split('\n')
    .filter((line) => line.startsWith('data: ') && !line.endsWith('[DONE]'))
  return data.map((line) => {
    const event = withoutMeta(JSON.parse(line.slice('data: '.length)) as Json)
    const { response } = event
    return response === undefined ? event : { ...event, response: withoutMeta(response as Json) }
  })
}

test.each(Object.entries(doors))(
  `random requests: every answer of %s is of the vendor's types`,
  { timeout: 600_000 },
  async (name, door) => {
    const wrong: unknown[] = []
    for (const seed of seeds) {
      const chance = seeded(seed)
      started.fake.setModel('one', randomModel(chance))
      const chat = randomRequest(
        { chance, carries: (feature) => carriedByAllDoors.includes(feature), reasoning: null },
        `Question ${seed} at ${name}`,
      )
      const isStreamed = chance.isTrue(0.5)
      const { path, streamPath } = door
      const isInBody = isStreamed && streamPath === undefined
      const body = { ...door.body(chat), ...(isInBody && { stream: true }) }
      const answer = await started.post(isStreamed ? (streamPath ?? path) : path, body)
      const problems =
        answer.status !== 200
          ? [await answer.text()]
          : isStreamed
            ? readEvents(await answer.text()).flatMap(door.ofEvent)
            : door.ofAnswer(withoutMeta((await answer.json()) as Json))
      if (problems.length > 0) wrong.push({ seed, isStreamed, problems: problems.slice(0, 3) })
    }
    expect(wrong.slice(0, 5)).toEqual([])
  },
)
