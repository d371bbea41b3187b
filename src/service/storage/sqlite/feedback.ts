/** Feedback on answers, its sums by model and topic, and the sums of what answers show by themselves. */
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { signalsCountAtMost } from '../../../shared/signals.ts'
import { topicNames, type Topic } from '../../../shared/topics.ts'
import { growthSince } from '../feedback-decay.ts'
import type {
  FeedbackLabel,
  FeedbackPlace,
  FeedbackStore,
  GivenFeedback,
  ModelFeedback,
} from '../feedback-store.ts'
import { readJson } from './json-column.ts'
import type { Synchronous } from './protocol.ts'

interface LabelRow extends Omit<FeedbackLabel, 'shares'> {
  /** JSON, by the topic's name. */
  shares: string
}

interface CountRow {
  modelId: string
  topic: string
  good: number
  bad: number
  difficulty: number
}

const sharesSchema = z.partialRecord(z.enum(topicNames), z.number())
/** A remainder below this, after all feedback was withdrawn, is a rounding error. */
const nothing = 1e-9

export function openFeedback(db: Database): Synchronous<FeedbackStore> {
  const { take, insert, ofModel, given } = openLabels(db)
  const counts = openCounts(db, 'feedback_counts')
  const signals = openCounts(db, 'signal_counts')
  const version = db.prepare<[], number>('SELECT version FROM feedback_version').pluck()
  const grow = db.prepare<[]>('UPDATE feedback_version SET version = version + 1')
  const withdraw = (place: FeedbackPlace) => {
    const taken = take.all(place)
    for (const label of taken) counts.add(label, -1)
    if (taken.length > 0) grow.run()
    return taken.length > 0
  }

  return {
    give(place: FeedbackPlace, labels: readonly FeedbackLabel[]) {
      withdraw(place)
      for (const { shares, ...label } of labels) {
        const row = { ...label, shares: JSON.stringify(byName(shares)) }
        insert.run({ ...row, givenOn: place.requestId, aspect: place.aspect })
        counts.add(row, 1)
      }
      grow.run()
    },
    withdraw,
    addSignals(sums: readonly ModelFeedback[], atMs: number) {
      for (const one of sums) signals.addAll(one, atMs)
      if (sums.length > 0) grow.run()
    },
    forget(modelId: string) {
      ofModel.run(modelId)
      const isKnown = [counts.remove(modelId), signals.remove(modelId)].includes(true)
      if (isKnown) grow.run()
      return isKnown
    },
    given: (aspect: string, requestIds: readonly string[]) =>
      given.all({ aspect, requestIds: JSON.stringify(requestIds) }),
    version: () => version.get() ?? 0,
    counts(nowMs: number) {
      const models = counts.read(nowMs)
      for (const [modelId, shown] of signals.read(nowMs)) {
        models.set(modelId, withSignals(models.get(modelId) ?? noFeedback(modelId), shown))
      }
      return [...models.values()]
    },
  }
}

/** Signals are worth little however many there are, so they are scaled down to the most they count as. */
function withSignals(given: ModelFeedback, shown: ModelFeedback): ModelFeedback {
  let answers = 0
  for (const [topic, good] of shown.good.entries()) answers += good + (shown.bad[topic] ?? 0)
  const scale = Math.min(1, signalsCountAtMost / answers)
  const sum = (of: readonly number[], to: readonly number[]) =>
    of.map((count, topic) => count + scale * (to[topic] ?? 0))
  return {
    modelId: given.modelId,
    good: sum(given.good, shown.good),
    bad: sum(given.bad, shown.bad),
    difficulty: sum(given.difficulty, shown.difficulty),
  }
}

function openLabels(db: Database) {
  const columns = 'request_id, model, at_ms, label, weight, shares, difficulty'
  return {
    take: db.prepare<FeedbackPlace, LabelRow>(`
      DELETE FROM feedback_labels WHERE given_on = :requestId AND aspect = :aspect
      RETURNING request_id AS requestId, model AS modelId, at_ms AS atMs, label, weight, shares,
        difficulty`),
    insert: db.prepare<LabelRow & { givenOn: string; aspect: string }>(`
      INSERT INTO feedback_labels (given_on, aspect, ${columns})
      VALUES (:givenOn, :aspect, :requestId, :modelId, :atMs, :label, :weight, :shares,
        :difficulty)`),
    given: db.prepare<{ aspect: string; requestIds: string }, GivenFeedback>(`
      SELECT request_id AS requestId, label FROM feedback_labels
      WHERE aspect = :aspect AND given_on = request_id
        AND given_on IN (SELECT value FROM json_each(:requestIds))`),
    ofModel: db.prepare<[string]>('DELETE FROM feedback_labels WHERE model = ?'),
  }
}

function openCounts(db: Database, table: 'feedback_counts' | 'signal_counts') {
  const add = db.prepare<CountRow>(`
    INSERT INTO ${table} (model, topic, good, bad, difficulty)
    VALUES (:modelId, :topic, :good, :bad, :difficulty)
    ON CONFLICT (model, topic) DO UPDATE SET good = good + excluded.good, bad = bad + excluded.bad,
      difficulty = difficulty + excluded.difficulty`)
  const clear = db.prepare<[string, number]>(
    `DELETE FROM ${table} WHERE model = ? AND good + bad < ?`,
  )
  const remove = db.prepare<[string]>(`DELETE FROM ${table} WHERE model = ?`)
  const selectAll = db.prepare<[], CountRow>(
    `SELECT model AS modelId, topic, good, bad, difficulty FROM ${table} ORDER BY model, topic`,
  )

  return {
    /** @param sign  1 to add, -1 to withdraw */
    add({ modelId, atMs, label, weight, shares, difficulty }: LabelRow, sign: 1 | -1): void {
      for (const [topic, share] of Object.entries(readJson(shares, sharesSchema))) {
        const counted = sign * weight * share * growthSince(atMs)
        const [good, bad] = [counted * label, counted * (1 - label)]
        add.run({ modelId, topic, good, bad, difficulty: counted * difficulty })
      }
      clear.run(modelId, nothing)
    },
    addAll({ modelId, good, bad, difficulty }: ModelFeedback, atMs: number): void {
      const growth = growthSince(atMs)
      for (const [index, topic] of topicNames.entries()) {
        const of = (counts: readonly number[]) => growth * (counts[index] ?? 0)
        const row = { modelId, topic, good: of(good), bad: of(bad), difficulty: of(difficulty) }
        if (row.good + row.bad > 0) add.run(row)
      }
    },
    remove: (modelId: string) => remove.run(modelId).changes > 0,
    read(nowMs: number): Map<string, ModelFeedback> {
      const models = new Map<string, ModelFeedback>()
      const kept = 1 / growthSince(nowMs)
      for (const { modelId, topic, good, bad, difficulty } of selectAll.all()) {
        const counts = models.get(modelId) ?? noFeedback(modelId)
        models.set(modelId, counts)
        const index = topicNames.findIndex((name) => name === topic)
        if (index === -1) continue
        counts.good[index] = Math.max(0, good) * kept
        counts.bad[index] = Math.max(0, bad) * kept
        counts.difficulty[index] = difficulty * kept
      }
      return models
    },
  }
}

function noFeedback(modelId: string): ModelFeedback {
  const zeros = () => topicNames.map(() => 0)
  return { modelId, good: zeros(), bad: zeros(), difficulty: zeros() }
}

/** By name, because the program's order may change. */
function byName(shares: readonly number[]): Partial<Record<Topic, number>> {
  return Object.fromEntries(topicNames.map((topic, index) => [topic, shares[index] ?? 0]))
}
