import { expect, test } from 'vitest'
import type { TuningRun } from '../../../../shared/tuning/tuning-run.ts'
import {
  canResume,
  hasGrade,
  moneyAndTime,
  promptsText,
  sourceText,
  stateOf,
  titleOf,
} from './run-words.ts'

const run: TuningRun = {
  id: 'run',
  routerId: 'router_Jk2mN8pR5sT7vW1x',
  routerName: 'Everyday',
  from: 'starter',
  fileName: null,
  state: 'running',
  stoppedBy: null,
  message: null,
  createdAtMs: 0,
  endedAtMs: null,
  judge: null,
  models: ['openai:gpt-5.4'],
  appliesTo: 'all',
  prompts: { total: 100, graded: 20, ungraded: 0 },
  requests: { answered: 20, failed: 0, lost: 0 },
  capUsd: 1.2,
  spentUsd: 0.21,
  reservedUsd: 0,
  leftUsd: 0.99,
  leftMs: 120_000,
}

test.each([
  [{ state: 'running' }, 'Running', false],
  [{ state: 'stopping' }, 'Stopping…', false],
  [{ state: 'stopped', stoppedBy: 'user' }, 'Stopped', true],
  [{ state: 'interrupted' }, 'Interrupted', true],
  [{ state: 'stopped', stoppedBy: 'no_model_answers' }, 'No answers', true],
  [{ state: 'done', stoppedBy: 'cap' }, 'Cap reached', true],
  [{ state: 'done' }, 'Done', false],
] as const)('a run with %j is shown as "%s"', (change, text, isResumable) => {
  expect(stateOf({ ...run, ...change }).text).toBe(text)
  expect(canResume({ ...run, ...change })).toBe(isResumable)
})

test('a run under way shows its money and the time left', () => {
  expect(moneyAndTime(run)).toBe('$0.21 of $1.20 spent · ≈ 2 min left')
  expect(moneyAndTime({ ...run, leftMs: null })).toBe('$0.21 of $1.20 spent · estimating time')
  expect(moneyAndTime({ ...run, state: 'done' })).toBe('$0.21 of $1.20 spent')
  expect(moneyAndTime({ ...run, capUsd: 0, spentUsd: 0, state: 'done' })).toBe('no cost')
})

test('a file is shown by its name, other sources by theirs', () => {
  expect(sourceText({ from: 'file', fileName: 'own.jsonl' })).toBe('own.jsonl')
  expect(sourceText({ from: 'requests', fileName: null })).toBe('Stored requests')
})

test('shadow samples are shown with their day’s money, and cannot be resumed', () => {
  const samples: TuningRun = { ...run, from: 'shadow', state: 'sampling' }
  expect(titleOf(samples)).toBe('Shadow samples of Everyday')
  expect(stateOf(samples).text).toBe('Sampling')
  expect(moneyAndTime(samples)).toBe('$0.21 of $1.20 spent today')
  expect(promptsText(samples)).toBe('20 requests compared')
  const off: TuningRun = { ...samples, state: 'done', stoppedBy: null }
  expect([stateOf(off).text, moneyAndTime(off), canResume(off)]).toEqual(['Off', '', false])
})

test('a run whose answers all have the grade 0 has no grade', () => {
  const graded = (mean: number | null) => ({
    all: { prompts: 4, quality: mean === null ? null : { mean, low: mean, high: mean } },
  })
  expect(hasGrade([graded(0), graded(0), graded(null)])).toBe(false)
  expect(hasGrade([graded(0), graded(0.25)])).toBe(true)
})
