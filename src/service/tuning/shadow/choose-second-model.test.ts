import { expect, test } from 'vitest'
import { decided } from '../../../../test/tuning/sample-shadow.ts'
import { topicNames, type Topic } from '../../../shared/routers/topics.ts'
import type { JudgedPrompt } from '../../../shared/tuning/tuning.ts'
import { candidate } from '../../../../test/routing/sample-candidates.ts'
import { chooseSecondModel, type SecondModelOptions } from './choose-second-model.ts'

function about(topic: Topic): number[] {
  return topicNames.map((name) => Number(name === topic))
}

function judged(topic: Topic, modelId: string, given: Partial<JudgedPrompt> = {}): JudgedPrompt {
  return {
    id: '',
    atMs: 0,
    topics: about(topic),
    difficulty: 0,
    confidence: 1,
    form: [],
    kind: null,
    errorRate: 0,
    answers: [{ modelId, startLogit: 0, grade: 1 }],
    ...given,
  }
}

const names = ['p:gpt-first', 'p:llama-second', 'p:qwen-third']

function choose(given: Partial<SecondModelOptions> = {}): string | undefined {
  const options: SecondModelOptions = {
    model: 'p:gpt-first',
    decision: decided(names.map((model) => ({ model }))),
    judge: 'p:claude-judge',
    candidates: names.map((modelId) => candidate({ modelId })),
    isUsable: () => true,
    topics: about('law'),
    judged: [],
    random: () => 0,
    ...given,
  }
  return chooseSecondModel(options)?.modelId
}

test('asks the model with the fewest judged prompts of the topic', () => {
  const others = [judged('trivia', 'p:qwen-third'), judged('trivia', 'p:qwen-third')]
  const ofTopic = judged('law', 'p:llama-second')
  expect(choose({ judged: [...others, ofTopic] })).toBe('p:qwen-third')
  const named = judged('trivia', 'p:qwen-third', { kind: 'law' })
  expect(choose({ judged: [named] })).toBe('p:llama-second')
})

test('draws among models about which as much is known', () => {
  expect(choose({ random: () => 0.49 })).toBe('p:llama-second')
  expect(choose({ random: () => 0.5 })).toBe('p:qwen-third')
})

test.each<[string, Partial<SecondModelOptions>]>([
  [
    'the decision excluded',
    { decision: decided([{ model: 'p:gpt-first' }, { model: 'p:qwen-third' }]) },
  ],
  [
    'the decision allowed at another effort only',
    { decision: decided([{ model: 'p:llama-second', effort: 'low' }, { model: 'p:qwen-third' }]) },
  ],
  ['cannot be asked now', { isUsable: ({ modelId }) => modelId !== 'p:llama-second' }],
  ['has the judge’s maker', { judge: 'p:llama-judge' }],
  [
    'runs on this computer',
    {
      candidates: names.map((modelId) =>
        candidate({ modelId, isLocal: modelId === 'p:llama-second' }),
      ),
    },
  ],
])('leaves out a model that %s', (_name, given) => {
  expect(choose(given)).toBe('p:qwen-third')
})

test('finds none when only the answering model is left', () => {
  expect(choose({ decision: decided([{ model: 'p:gpt-first' }]) })).toBeUndefined()
})
