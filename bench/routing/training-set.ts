/** What the topic head learns from: every prompt of the files whose label says its topic, and the seeds. */
import type { DataFile } from './data-file.ts'
import { topicOfLabel } from './labels.ts'
import { seeds } from './seeds.ts'
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

export function seedSamples(): TopicSample[] {
  return seeds.map(({ prompt, topic }) => toTopicSample(prompt, topic))
}
