/**
 * The scale between a model's points and the probability of an acceptable answer. A prompt's difficulty is in
 * logits: a model of 1300 points answers a prompt of difficulty 0 well half the time.
 */

/** The difficulty of a prompt that was not read, and of the quality that people see and enter. */
export const unreadDifficulty = -1

/** Fitted to public answers, between 0.93 and 0.99. The difficulty head is trained on this scale. */
export const logitsPer100Points = 0.95
const middlePoints = 1300
/** No figure of a user means certainty. */
const extremeQuality = 0.995

/** The difficulty of a greeting or a famous fact. */
export const easyDifficulty = -3.2
/** Prompts between these are of usual difficulty. */
const easyUpTo = -1.6
const hardFrom = -0.8

export type DifficultyLevel = 'easy' | 'usual' | 'hard'

export function difficultyLevel(difficulty: number): DifficultyLevel {
  if (difficulty >= hardFrom) return 'hard'
  return difficulty <= easyUpTo ? 'easy' : 'usual'
}

/** Logit of the quality for a prompt of difficulty 0. */
export function logitOfPoints(points: number): number {
  return (logitsPer100Points * (points - middlePoints)) / 100
}

/** The points of a model with this quality, 0 to 1, for a prompt that was not read. */
export function pointsOfQuality(quality: number): number {
  const within = Math.min(extremeQuality, Math.max(1 - extremeQuality, quality))
  return middlePoints + (100 * (logitOf(within) + unreadDifficulty)) / logitsPer100Points
}

/** The quality of a model with these points, for a prompt that was not read; three decimals. */
export function qualityOfPoints(points: number): number {
  return Math.round(1000 * sigmoid(logitOfPoints(points) - unreadDifficulty)) / 1000
}

export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit))
}

export function logitOf(probability: number): number {
  return Math.log(probability / (1 - probability))
}
