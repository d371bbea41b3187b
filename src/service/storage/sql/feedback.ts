/** Feedback on answers, its sums by model and topic, and the sums of what answers show by themselves. */
import { z } from 'zod'
import { signalsCountAtMost } from '../../../shared/requests/signals.ts'
import { topicNames, type Topic } from '../../../shared/routers/topics.ts'
import { growthSince } from '../feedback-decay.ts'
import type {
  FeedbackLabel,
  FeedbackPlace,
  FeedbackStore,
  GivenFeedback,
  ModelFeedback,
} from '../feedback-store.ts'
import { readJson } from './json-column.ts'
import type { Sql } from './sql.ts'

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

export function openFeedback(sql: Sql): FeedbackStore {
  const { take, insert, ofModel, given, judged } = openLabels(sql)
  const counts = openCounts(sql, 'feedback_counts')
  const signals = openCounts(sql, 'signal_counts')
  const version = sql.prepare<[], number>('SELECT version FROM feedback_version').pluck()
  const grow = sql.prepare<[]>('UPDATE feedback_version SET version = version + 1')
  const withdraw = async (place: FeedbackPlace) => {
    const taken = await take.all(place)
    for (const label of taken) await counts.add(label, -1)
    if (taken.length > 0) await grow.run()
    return taken.length > 0
  }

  return {
    async give(place: FeedbackPlace, labels: readonly FeedbackLabel[]) {
      await withdraw(place)
      for (const { shares, ...label } of labels) {
        const row = { ...label, shares: JSON.stringify(byName(shares)) }
        await insert.run({ ...row, givenOn: place.requestId, aspect: place.aspect })
        await counts.add(row, 1)
      }
      await grow.run()
    },
    withdraw,
    async addSignals(sums: readonly ModelFeedback[], atMs: number) {
      for (const one of sums) await signals.addAll(one, atMs)
      if (sums.length > 0) await grow.run()
    },
    async forget(modelId: string) {
      await ofModel.run(modelId)
      const removed = [await counts.remove(modelId), await signals.remove(modelId)]
      const isKnown = removed.includes(true)
      if (isKnown) await grow.run()
      return isKnown
    },
    given: (aspect: string, requestIds: readonly string[]) =>
      given.all({ aspect, requestIds: JSON.stringify(requestIds) }),
    async judged(modelId: string) {
      const rows = await judged.all(modelId)
      return rows.map(({ shares, ...row }) => {
        const known = readJson(shares, sharesSchema)
        return { ...row, shares: topicNames.map((topic) => known[topic] ?? 0) }
      })
    },
    version: async () => (await version.get()) ?? 0,
    async counts(nowMs: number) {
      const models = await counts.read(nowMs)
      for (const [modelId, shown] of await signals.read(nowMs)) {
        models.set(modelId, withSignals(models.get(modelId) ?? noFeedback(modelId), shown))
      }
      return [...models.values()]
    },
  }
}

/** Adds signals, scaled down to the most they count as: they are worth little however many there are. */
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

function openLabels(sql: Sql) {
  const columns = 'request_id, model, at_ms, label, weight, shares, difficulty'
  return {
    take: sql.prepare<FeedbackPlace, LabelRow>(`
      DELETE FROM feedback_labels WHERE given_on = :requestId AND aspect = :aspect
      RETURNING request_id AS "requestId", model AS "modelId", at_ms AS "atMs", label, weight, shares,
        difficulty`),
    insert: sql.prepare<LabelRow & { givenOn: string; aspect: string }>(`
      INSERT INTO feedback_labels (given_on, aspect, ${columns})
      VALUES (:givenOn, :aspect, :requestId, :modelId, :atMs, :label, :weight, :shares,
        :difficulty)`),
    given: sql.prepare<{ aspect: string; requestIds: string }, GivenFeedback>(`
      SELECT request_id AS "requestId", label FROM feedback_labels
      WHERE aspect = :aspect AND given_on = request_id
        AND given_on IN (${sql.dialect.jsonList(':requestIds')})`),
    judged: sql.prepare<[string], Pick<LabelRow, 'requestId' | 'label' | 'shares'>>(`
      SELECT request_id AS "requestId", label, shares FROM feedback_labels
      WHERE model = ? AND aspect IN ('thumb', 'regenerated', 'preferred') ORDER BY at_ms DESC LIMIT 1000`),
    ofModel: sql.prepare<[string]>('DELETE FROM feedback_labels WHERE model = ?'),
  }
}

function openCounts(sql: Sql, table: 'feedback_counts' | 'signal_counts') {
  const add = sql.prepare<CountRow>(`
    INSERT INTO ${table} (model, topic, good, bad, difficulty)
    VALUES (:modelId, :topic, :good, :bad, :difficulty)
    ON CONFLICT (model, topic) DO UPDATE SET
      good = ${table}.good + excluded.good, bad = ${table}.bad + excluded.bad,
      difficulty = ${table}.difficulty + excluded.difficulty`)
  const clear = sql.prepare<[string, number]>(
    `DELETE FROM ${table} WHERE model = ? AND good + bad < CAST(? AS DOUBLE PRECISION)`,
  )
  const remove = sql.prepare<[string]>(`DELETE FROM ${table} WHERE model = ?`)
  const selectAll = sql.prepare<[], CountRow>(
    `SELECT model AS "modelId", topic, good, bad, difficulty FROM ${table} ORDER BY model, topic`,
  )

  return {
    /** @param sign  1 to add, -1 to withdraw */
    async add(given: LabelRow, sign: 1 | -1): Promise<void> {
      const { modelId, atMs, label, weight, shares, difficulty } = given
      for (const [topic, share] of Object.entries(readJson(shares, sharesSchema))) {
        const counted = sign * weight * share * growthSince(atMs)
        const [good, bad] = [counted * label, counted * (1 - label)]
        await add.run({ modelId, topic, good, bad, difficulty: counted * difficulty })
      }
      await clear.run(modelId, nothing)
    },
    async addAll({ modelId, good, bad, difficulty }: ModelFeedback, atMs: number): Promise<void> {
      const growth = growthSince(atMs)
      for (const [index, topic] of topicNames.entries()) {
        const of = (counts: readonly number[]) => growth * (counts[index] ?? 0)
        const row = { modelId, topic, good: of(good), bad: of(bad), difficulty: of(difficulty) }
        if (row.good + row.bad > 0) await add.run(row)
      }
    },
    remove: async (modelId: string) => (await remove.run(modelId)).changes > 0,
    async read(nowMs: number): Promise<Map<string, ModelFeedback>> {
      const models = new Map<string, ModelFeedback>()
      const kept = 1 / growthSince(nowMs)
      for (const { modelId, topic, good, bad, difficulty } of await selectAll.all()) {
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

/** Shares by topic name, because the program's order may change. */
function byName(shares: readonly number[]): Partial<Record<Topic, number>> {
  return Object.fromEntries(topicNames.map((topic, index) => [topic, shares[index] ?? 0]))
}
