/** Judged prompts and the models' answers to them. */
import { z } from 'zod'
import { topicNames } from '../../../shared/routers/topics.ts'
import { shadowRunPrefix } from '../../../shared/tuning/tuning-run.ts'
import type { AppliesTo, JudgedAnswer, JudgedPrompt } from '../../../shared/tuning/tuning.ts'
import type { JudgedPromptStore, StoredJudgedPrompt } from '../judged-prompt-store.ts'
import { readJson } from './json-column.ts'
import type { Sql } from './sql.ts'

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

export function openJudgedPrompts(sql: Sql): JudgedPromptStore {
  const rows = openRows(sql)
  const runs = openAppliedRuns(sql)
  const version = sql.prepare<[], number>('SELECT version FROM judged_version').pluck()
  const grow = sql.prepare<[]>('UPDATE judged_version SET version = version + 1')

  return {
    async add(routerId: string, prompts: readonly JudgedPrompt[]) {
      for (const prompt of prompts) {
        await rows.remove.run(prompt.id)
        await rows.insert.run(toRow(routerId, prompt))
        for (const answer of prompt.answers)
          await rows.insertAnswer.run({ ...answer, promptId: prompt.id })
      }
      if (prompts.length > 0) await grow.run()
    },
    async list() {
      const answers = byPrompt(await rows.answers.all())
      const prompts = await rows.prompts.all()
      const applied = new Map((await runs.prompts.all()).map((row) => [row.id, row.appliesTo]))
      return prompts.map((row) => ({
        ...toPrompt(row, answers.get(row.id) ?? []),
        appliesTo: applied.get(row.id) ?? 'all',
      }))
    },
    async remove(ids: readonly string[]) {
      let removed = 0
      for (const id of ids) removed += (await rows.remove.run(id)).changes
      if (removed > 0) await grow.run()
    },
    async forgetModel(modelId: string) {
      const isKnown = (await rows.forgetModel.run(modelId)).changes > 0
      if (isKnown) {
        await rows.removeUnanswered.run()
        await grow.run()
      }
      return isKnown
    },
    async apply(runId: string, appliesTo: AppliesTo) {
      await (appliesTo === 'all' ? runs.reset.run(runId) : runs.set.run({ runId, appliesTo }))
      await grow.run()
    },
    async applied() {
      return new Map((await runs.all.all()).map((row) => [row.runId, row.appliesTo]))
    },
    version: async () => (await version.get()) ?? 0,
  }
}

/** Statements for rows. Answers are deleted with their prompt. */
function openRows(sql: Sql) {
  return {
    insert: sql.prepare<PromptRow>(`
      INSERT INTO judged_prompts (id, router_id, at_ms, reading, kind, error_rate)
      VALUES (:id, :routerId, :atMs, :reading, :kind, :errorRate)`),
    insertAnswer: sql.prepare<AnswerRow>(`
      INSERT INTO judged_answers (prompt_id, model, start_logit, grade)
      VALUES (:promptId, :modelId, :startLogit, :grade)`),
    prompts: sql.prepare<[], PromptRow>(`
      SELECT id, router_id AS "routerId", at_ms AS "atMs", reading, kind, error_rate AS "errorRate"
      FROM judged_prompts ORDER BY at_ms, id`),
    answers: sql.prepare<[], AnswerRow>(`
      SELECT prompt_id AS "promptId", model AS "modelId", start_logit AS "startLogit", grade
      FROM judged_answers ORDER BY prompt_id, model`),
    remove: sql.prepare<[string]>('DELETE FROM judged_prompts WHERE id = ?'),
    forgetModel: sql.prepare<[string]>('DELETE FROM judged_answers WHERE model = ?'),
    removeUnanswered: sql.prepare<[]>(
      'DELETE FROM judged_prompts WHERE id NOT IN (SELECT prompt_id FROM judged_answers)',
    ),
  }
}

interface AppliedRow {
  runId: string
  appliesTo: AppliesTo
}

/** Statements for runs that do not apply to all routers. Their prompts are found by the ids that the runs keep. */
function openAppliedRuns(sql: Sql) {
  const idIn = sql.dialect.jsonText('prompt.reading', 'id')
  return {
    set: sql.prepare<AppliedRow>(`
      INSERT INTO applied_runs (run_id, applies_to) VALUES (:runId, :appliesTo)
      ON CONFLICT (run_id) DO UPDATE SET applies_to = excluded.applies_to`),
    reset: sql.prepare<[string]>('DELETE FROM applied_runs WHERE run_id = ?'),
    all: sql.prepare<[], AppliedRow>(
      'SELECT run_id AS "runId", applies_to AS "appliesTo" FROM applied_runs',
    ),
    prompts: sql.prepare<[], Pick<AppliedRow, 'appliesTo'> & { id: string }>(`
      SELECT ${idIn} AS id, applies_to AS "appliesTo"
      FROM applied_runs JOIN tuning_prompts AS prompt USING (run_id)
      UNION ALL
      SELECT sample.id, applies_to
      FROM applied_runs JOIN shadow_samples AS sample ON run_id = '${shadowRunPrefix}' || router_id`),
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
function toPrompt(
  row: PromptRow,
  answers: readonly AnswerRow[],
): Omit<StoredJudgedPrompt, 'appliesTo'> {
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
