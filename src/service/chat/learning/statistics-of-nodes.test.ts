/** Tests what two nodes learn about one model, through one storage. */
import { expect, test } from 'vitest'
import {
  openStatistics,
  publishedModel as model,
  sampleAnswer,
  streams,
} from '../../../../test/sample-answer.ts'
import { mergeFigures } from '../../storage/merge-figures.ts'
import type { ModelFigures } from '../../storage/model-statistics.ts'
import type { Learned, Stored } from '../../storage/storage.ts'

function startNode() {
  const statistics = openStatistics(() => 1_000_000)
  const answer = (count: number, firstTokenMs: number) => {
    for (let nth = 0; nth < count; nth += 1) statistics.answered(sampleAnswer({ firstTokenMs }))
  }
  const knowledge = () => statistics.knowledgeOf(model, streams)
  return { statistics, answer, knowledge }
}

/** A store that merges figures like the real ones. */
function storeOf() {
  let stored: Stored<ModelFigures> | null = null
  return {
    all: () => (stored ? [structuredClone(stored)] : []),
    save(learned: readonly Learned<ModelFigures>[]): Stored<ModelFigures>[] {
      return learned.map(({ id, base, figures: mine }) => {
        const figures = stored ? mergeFigures({ base, mine, stored: stored.figures }) : mine
        stored = structuredClone({ id, figures })
        return structuredClone(stored)
      })
    },
  }
}

function save(node: ReturnType<typeof startNode>, store: ReturnType<typeof storeOf>): void {
  const learned = node.statistics.models.takeChanged()
  node.statistics.models.saved(learned, store.save(learned))
}

test('nodes that learn different latencies agree on one between them', () => {
  const [one, two, store] = [startNode(), startNode(), storeOf()]
  one.answer(30, 400)
  two.answer(30, 1_600)
  save(one, store)
  save(two, store)
  one.statistics.models.follow(store.all())

  expect(one.knowledge().latency.firstTokenMs).toBeCloseTo(two.knowledge().latency.firstTokenMs, 6)
  expect(one.knowledge().latency.firstTokenMs).toBeGreaterThan(700)
  expect(one.knowledge().latency.firstTokenMs).toBeLessThan(900)
})

test('every answer counts once, also those during a save and after the others’ were read', () => {
  const [one, two, store] = [startNode(), startNode(), storeOf()]
  const answersOf = () => store.all()[0]?.figures.latencies.stream?.answers
  one.answer(10, 500)
  save(one, store)
  two.answer(10, 500)
  const learned = two.statistics.models.takeChanged()
  two.answer(5, 500)
  two.statistics.models.saved(learned, store.save(learned))
  one.answer(3, 500)
  one.statistics.models.follow(store.all())
  save(one, store)
  save(two, store)
  two.statistics.models.follow(store.all())
  two.answer(1, 500)
  save(two, store)

  expect(answersOf()).toBe(29)
})
