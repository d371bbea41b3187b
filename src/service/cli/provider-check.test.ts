import { expect, test } from 'vitest'
import { newModelport, vaultKey as vault } from '../../../test/command-line/modelport.ts'
import {
  newEvidence,
  noteAnswer,
  type ComparedAnswer,
} from '../chat/answer-checks/model-evidence.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'

const modelId = 'mine:gpt-5.4'
const id = `answers:${modelId}:named`

/** What a running service leaves behind. */
async function withFinding() {
  const modelport = newModelport()
  const address = ['--type', 'openai-compatible', '--base-url', 'http://127.0.0.1:9/v1']
  await modelport.run(['provider', 'add', 'mine', ...address, '--key-stdin'], {
    stdin: 'sk-test\n',
    env: vault,
  })
  const evidence = newEvidence()
  const answer: ComparedAnswer = {
    requestId: 'request-1',
    atMs: Date.UTC(2026, 10, 24, 9),
    named: { name: 'gpt-5.4-mini', isOther: true },
    tokens: null,
    fingerprint: 'fp_1',
    hasReasoning: false,
    lacksReasoning: null,
    lacksLogprobs: null,
  }
  noteAnswer(evidence, answer)
  const { findings, configuration, close } = await openStorage({ dataDir: modelport.dataDir })
  // Or doctor starts llama.cpp to look for one.
  await configuration.setSetting('localModelGpu', 'off')
  await findings.saveDocuments([{ name: `answers:${modelId}`, value: JSON.stringify(evidence) }])
  const about = { check: 'named', modelId, deviating: 12, answers: 80, sinceMs: answer.atMs }
  const rest = { named: 'gpt-5.4-mini', factor: null, hoursUtc: null }
  await findings.report({
    id,
    kind: 'answers',
    lastAtMs: answer.atMs,
    evidence: JSON.stringify({ ...about, ...rest }),
    requestIds: ['request-1'],
  })
  await close()
  return modelport
}

test('shows what was compared and found, by provider', async () => {
  const { run } = await withFinding()
  const { stdout } = await run(['provider', 'check', 'mine'], { env: vault })
  expect(stdout).toMatch(
    /^mine:gpt-5\.4 +1 +1 +0 +0 +0 +1 +mine:gpt-5\.4 named gpt-5\.4-mini in 12 of 80/m,
  )
  const json = await run(['provider', 'check', '--json'], { env: vault })
  expect(JSON.parse(json.stdout)).toMatchObject({
    modelId,
    findings: [{ id, requestIds: ['request-1'], dismissedAtMs: null }],
  })
  const unknown = await run(['provider', 'check', 'other'], { env: vault })
  expect(unknown).toMatchObject({ code: 1, stderr: 'modelport: There is no provider "other".\n' })
})

test('a finding is dismissed and opened again, and doctor tells the open one', async () => {
  const { run } = await withFinding()
  const told = async () => (await run(['doctor'], { env: vault })).stdout
  expect(await told()).toMatch(/^warn +answers +mine:gpt-5\.4 named gpt-5\.4-mini/m)
  expect(await run(['provider', 'check', '--dismiss', id], { env: vault })).toMatchObject({
    stdout: `Dismissed ${id}.\n`,
  })
  expect(await told()).not.toContain('named gpt-5.4-mini')
  await run(['provider', 'check', '--restore', id], { env: vault })
  expect(await told()).toContain('named gpt-5.4-mini')
})

test('the daily probe is switched on with a cap, and off', async () => {
  const { run } = await withFinding()
  const probe = ['provider', 'probe', 'mine']
  expect(await run([...probe, '--cap-usd-per-day', '0.01'], { env: vault })).toMatchObject({
    stdout: 'The daily probe of mine is on.\n',
  })
  expect(await run([...probe, '--off'], { env: vault })).toMatchObject({
    stdout: 'The daily probe of mine is off.\n',
  })
  expect(await run(probe, { env: vault })).toMatchObject({ code: 2 })
  expect(await run([...probe, '--cap-usd-per-day', '5'], { env: vault })).toMatchObject({ code: 2 })
})
