/** What the topic head learns from: every prompt of the files whose label says its topic, and the seeds. */
import type { Topic } from '../../src/shared/routers/topics.ts'
import type { DataFile } from './data-file.ts'
import { topicOfLabel } from './labels.ts'
import { gradedPrompts, type GradedPrompt } from '../graded/graded-prompts.ts'
import { seeds } from '../seeds.ts'
import { toTopicSample, type TopicSample } from './train-topics.ts'

export function topicSamples(files: readonly DataFile[]): TopicSample[] {
  return [...files.flatMap(samplesOf), ...seedSamples()]
}

export function samplesOf(file: Pick<DataFile, 'rows'>): TopicSample[] {
  return file.rows.flatMap(({ prompt, label }) => {
    const topic = topicOfLabel(label)
    return topic === null ? [] : [toTopicSample(prompt, topic)]
  })
}

/** The seeds, and graded prompts of the topics of which few seeds are one sentence: code and conversation. */
export function seedSamples(graded: readonly GradedPrompt[] = gradedPrompts): TopicSample[] {
  const short = graded.filter(({ topic }) => topic === 'conversation' || isCode(topic))
  return [...seeds, ...short].map(({ prompt, topic }) => toTopicSample(prompt, topic))
}

function isCode(topic: Topic): boolean {
  return topic.startsWith('code_') || topic === 'computer_science'
}
