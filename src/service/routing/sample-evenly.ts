/** A sample of prompts that is spread over topics and difficulties as the prompts themselves are. */
import type { FitReading } from './fit-features.ts'

/**
 * Sorts the prompts by their likeliest topic and by difficulty within it, and takes every k-th. Clever choices,
 * such as hard or undecided prompts only, teach less (measured on three pools of models).
 * @param count  how many; all prompts when there are fewer
 * @returns the sample in the order of the prompts
 */
export function sampleEvenly<Prompt extends FitReading>(
  prompts: readonly Prompt[],
  count: number,
): Prompt[] {
  if (count >= prompts.length) return [...prompts]
  const sorted = prompts
    .map(({ topics, difficulty }, index) => ({ topic: likeliest(topics), difficulty, index }))
    .toSorted((a, b) => a.topic - b.topic || a.difficulty - b.difficulty || a.index - b.index)
  const step = prompts.length / count
  const places = Array.from({ length: count }, (_, place) => Math.floor((place + 0.5) * step))
  const chosen = new Set(places.map((place) => sorted[place]?.index))
  return prompts.filter((_, index) => chosen.has(index))
}

function likeliest(topics: readonly number[]): number {
  return topics.indexOf(Math.max(...topics))
}
