/** Judged prompts and the models' answers to them. */
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { topicNames } from '../../../shared/topics.ts'
import type { JudgedAnswer, JudgedPrompt } from '../../../shared/tuning.ts'
import type { JudgedPromptStore, StoredJudgedPrompt } from '../judged-prompt-store.ts'
import { readJson } from './json-column.ts'
import type { Synchronous } from './protocol.ts'

interface PromptRow {
  id: string
  routerId: string
  atMs: number
  /** JSON; topics by name, because the program's order may change. */
  reading: string
  kind: string | null
  errorRate: number
}

interface AnswerRow extends JudgedAnswer {
  promptId: string
}

const readingSchema = z.strictObject({
  topics: z.partialRecord(z.enum(topicNames), z.number()),
  difficulty: z.number(),
  confidence: z.number(),
  form: z.array(z.number()),
})

export function openJudgedPrompts(db: Database): Synchronous<JudgedPromptStore> {
  const rows = openRows(db)
  const version = db.prepare<[], number>('SELECT version FROM judged_version').pluck()
  const grow = db.prepare<[]>('UPDATE judged_version SET version = version + 1')

  return {
    add(routerId: string, prompts: readonly JudgedPrompt[]) {
      for (const prompt of prompts) {
        rows.remove.run(prompt.id)
        rows.insert.run(toRow(routerId, prompt))
        for (const answer of prompt.answers)
          rows.insertAnswer.run({ ...answer, promptId: prompt.id })
      }
      if (prompts.length > 0) grow.run()
    },
    list() {
      const answers = byPrompt(rows.answers.all())
      return rows.prompts.all().map((row) => toPrompt(row, answers.get(row.id) ?? []))
    },
    remove(ids: readonly string[]) {
      const removed = ids.filter((id) => rows.remove.run(id).changes > 0)
      if (removed.length > 0) grow.run()
    },
    forgetModel(modelId: string) {
      const isKnown = rows.forgetModel.run(modelId).changes > 0
      if (isKnown) {
        rows.removeUnanswered.run()
        grow.run()
      }
      return isKnown
    },
    version: () => version.get() ?? 0,
  }
}

/** Answers are deleted with their prompt. */
function openRows(db: Database) {
  return {
    insert: db.prepare<PromptRow>(`
      INSERT INTO judged_prompts (id, router_id, at_ms, reading, kind, error_rate)
      VALUES (:id, :routerId, :atMs, :reading, :kind, :errorRate)`),
    insertAnswer: db.prepare<AnswerRow>(`
      INSERT INTO judged_answers (prompt_id, model, start_logit, grade)
      VALUES (:promptId, :modelId, :startLogit, :grade)`),
    prompts: db.prepare<[], PromptRow>(`
      SELECT id, router_id AS routerId, at_ms AS atMs, reading, kind, error_rate AS errorRate
      FROM judged_prompts ORDER BY at_ms, id`),
    answers: db.prepare<[], AnswerRow>(`
      SELECT prompt_id AS promptId, model AS modelId, start_logit AS startLogit, grade
      FROM judged_answers ORDER BY prompt_id, model`),
    remove: db.prepare<[string]>('DELETE FROM judged_prompts WHERE id = ?'),
    forgetModel: db.prepare<[string]>('DELETE FROM judged_answers WHERE model = ?'),
    removeUnanswered: db.prepare<[]>(
      'DELETE FROM judged_prompts WHERE id NOT IN (SELECT prompt_id FROM judged_answers)',
    ),
  }
}

function toRow(routerId: string, prompt: JudgedPrompt): PromptRow {
  const { id, atMs, topics, difficulty, confidence, form, kind, errorRate } = prompt
  const byName = Object.fromEntries(topicNames.map((topic, index) => [topic, topics[index] ?? 0]))
  const reading = JSON.stringify({ topics: byName, difficulty, confidence, form })
  return { id, routerId, atMs, reading, kind, errorRate }
}

function byPrompt(answers: readonly AnswerRow[]): Map<string, AnswerRow[]> {
  const grouped = new Map<string, AnswerRow[]>()
  for (const answer of answers) {
    const ofPrompt = grouped.get(answer.promptId) ?? []
    grouped.set(answer.promptId, ofPrompt)
    ofPrompt.push(answer)
  }
  return grouped
}

/** A kind that this version does not know counts as not named. */
function toPrompt(row: PromptRow, answers: readonly AnswerRow[]): StoredJudgedPrompt {
  const { topics, ...reading } = readJson(row.reading, readingSchema)
  return {
    id: row.id,
    routerId: row.routerId,
    atMs: row.atMs,
    topics: topicNames.map((topic) => topics[topic] ?? 0),
    ...reading,
    kind: topicNames.find((topic) => topic === row.kind) ?? null,
    errorRate: row.errorRate,
    answers: answers.map(({ modelId, startLogit, grade }) => ({ modelId, startLogit, grade })),
  }
}
