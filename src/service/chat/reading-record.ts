/** The part of a prompt's reading that is recorded. */
import { domainNames } from '../../shared/app/domains.ts'
import type { DecisionRecord } from '../../shared/requests/detail.ts'
import { topicNames } from '../../shared/routers/topics.ts'
import type { ExplainedReading } from '../routing/candidate.ts'

/** The reading to record, with its three likeliest kinds. */
export function readingRecord(reading: ExplainedReading): DecisionRecord['reading'] {
  return {
    domains: likeliest(domainNames, reading.domains),
    topics: likeliest(topicNames, reading.topics),
    confidence: rounded(reading.confidence),
    difficulty: rounded(reading.difficulty),
    difficultyReasons: [...reading.difficultyReasons],
  }
}

function likeliest<Name>(
  names: readonly Name[],
  probabilities: readonly number[],
): [Name, number][] {
  return names
    .map((name, index): [Name, number] => [name, rounded(probabilities[index] ?? 0)])
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 3)
}

function rounded(figure: number): number {
  return Math.round(figure * 1e3) / 1e3
}
