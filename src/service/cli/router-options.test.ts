import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'

const model = 'local:smollm2-135m-instruct'
const create = ['router', 'create', '--name', 'Mine', '--strategy', 'balanced', '--models', model]

async function newRouter(...options: string[]) {
  const { run, json } = newModelport()
  const { stdout } = await run([...create, ...options])
  const id = String(JSON.parse(stdout).id)
  return { run, json, id, update: (...given: string[]) => json('router', 'update', id, ...given) }
}

const cascade = { tiers: [{ models: [model], accept: 'valid_json' }] }

function fileWith(text: string): string {
  const file = join(temporaryFolder(), 'cascade.json')
  writeFileSync(file, text)
  return file
}

test('create sets every routing option, and show prints it', async () => {
  const given = [
    ['--quality-tolerance', '0.05', '--weights', 'cost=.2,latency=.1,carbon=0'],
    [
      '--limit-each-prompt',
      '--latency-percentile',
      '95',
      '--allow-providers',
      'local',
      '--local-only',
    ],
    [
      '--max-cost-usd',
      '0.05',
      '--no-fallback',
      '--no-sticky',
      '--no-choose-effort',
      '--pacing',
      '--pause',
      '--explore',
      '.02',
    ],
    ['--cascade', fileWith(JSON.stringify(cascade)), '--log-content', '7'],
    ['--safety-model', model],
    ['--subagents', `Explore=${model}`, '--check-command', 'npm test', '--step-down'],
    ['--no-escalate-when-stuck', '--split', '--gate'],
  ]
  const { run, json, id } = await newRouter(...given.flat())
  expect((await json('router', 'show', id))[0]?.['routing']).toEqual({
    isPaused: true,
    qualityTolerance: 0.05,
    limitEachPrompt: true,
    weights: { cost: 0.2, latency: 0.1, carbon: 0 },
    latencyPercentile: 95,
    requires: [],
    providers: ['local'],
    regions: null,
    localOnly: true,
    maxCostUsdPerRequest: 0.05,
    fallback: false,
    sticky: false,
    chooseEffort: false,
    pacing: true,
    explorationShare: 0.02,
    cascade,
    safetyModel: model,
    contentDays: 7,
    subagents: { Explore: model },
    escalateWhenStuck: false,
    checkCommand: 'npm test',
    stepDown: true,
    experiments: { gate: true },
    split: true,
    shadowSteps: null,
    shadow: null,
  })
  const { stdout } = await run(['router', 'show', id])
  for (const line of [
    /^TOLERANCE +0\.05$/m,
    /^WEIGHTS +cost=0\.2,latency=0\.1,carbon=0$/m,
    /^PERCENTILE +95$/m,
    /^PROVIDERS +local$/m,
    /^REGIONS +all$/m,
    /^LOCAL ONLY +on$/m,
    /^COST AT MOST +\$0\.05 a request$/m,
    /^FALLBACK +off$/m,
    /^STICKY +off$/m,
    /^PACING +on$/m,
    /^PAUSED +on$/m,
    /^EXPLORES +0\.02$/m,
    /^CASCADE +local:smollm2-135m-instruct \(valid_json\)$/m,
    /^SAFETY MODEL +local:smollm2-135m-instruct$/m,
    /^CONTENT KEPT +7 days$/m,
    /^SUBAGENTS +Explore=local:smollm2-135m-instruct$/m,
    /^CHECK COMMAND +npm test$/m,
    /^STEP DOWN +on$/m,
    /^WHEN STUCK +off$/m,
  ])
    expect(stdout).toMatch(line)
})

test('update changes one option alone and unsets each', async () => {
  const { json, id, update } = await newRouter('--weights', 'cost=.2', '--no-fallback', '--pacing')
  const [before] = await json('router', 'show', id)
  expect(before?.['routing']).toMatchObject({ weights: { cost: 0.2, latency: 0.05, carbon: 0.03 } })

  const [changed] = await update('--weights', 'latency=.5', '--quality-tolerance', '.1')
  expect(changed?.['routing']).toEqual({
    ...Object(before?.['routing']),
    qualityTolerance: 0.1,
    weights: { cost: 0.2, latency: 0.5, carbon: 0.03 },
  })
  const [renamed] = await update('--name', 'Another')
  expect(renamed?.['routing']).toEqual(changed?.['routing'])
  await update('--max-cost-usd', '1', '--log-content', '1', '--local-only')
  await update('--allow-providers', 'local', '--cascade', fileWith(JSON.stringify(cascade)))
  await update('--safety-model', model)
  const takenBack = [
    ['--weights', 'default', '--quality-tolerance', 'default', '--fallback', '--no-pacing'],
    ['--no-pause'],
    ['--max-cost-usd', 'none', '--log-content', 'off', '--no-local-only'],
    ['--allow-providers', 'all', '--allow-regions', 'all', '--require', 'none'],
    ['--cascade', 'off', '--safety-model', 'none'],
  ]
  const [plain] = await update(...takenBack.flat())
  expect(plain?.['routing']).toMatchObject({
    qualityTolerance: null,
    weights: null,
    fallback: true,
    pacing: false,
    isPaused: false,
    maxCostUsdPerRequest: null,
    contentDays: null,
    localOnly: false,
    providers: null,
    regions: null,
    requires: [],
    cascade: null,
    safetyModel: null,
  })
})

test.each([
  ['--quality-tolerance', '0.9', 'Enter a number from 0 to 0.5. It may also be default.'],
  ['--quality-tolerance', 'much', 'Expected a number. It may also be default.'],
  ['--weights', 'cost=2', 'each from 0 to 1, or default'],
  ['--weights', 'speed=.1', 'Weights are cost, latency and carbon'],
  ['--latency-percentile', '99', 'Expected 50 or 95.'],
  ['--explore', '0.5', 'Enter a number from 0 to 0.02.'],
  ['--require', 'tools,magic', 'Expected any of tools, '],
  ['--allow-regions', 'fra', 'Use three-letter country codes, such as FRA. It may also be all.'],
  ['--max-cost-usd', '0', 'Enter a number above 0, up to 1,000. It may also be none.'],
  ['--log-content', '400', 'Enter 1 to 365 days. It may also be off.'],
  ['--cascade', '/nowhere/cascade.json', 'cannot be read; a file name or off is expected'],
])('%s %s is invalid usage, and the error says what is expected', async (option, value, words) => {
  const { code, stderr } = await newModelport().run([...create, option, value])

  expect(code).toBe(2)
  expect(stderr).toContain(option)
  expect(stderr).toContain(words)
})

test.each([
  ['{', 'is not JSON'],
  ['null', 'it is empty'],
  ['{"tiers":[]}', 'at tiers: Add at least one tier'],
  [`{"tiers":[{"models":["${model}"],"accept":"agree"}]}`, 'at tiers.0.models: "agree" needs two'],
  [
    `{"tiers":[{"models":["${model}"],"accept":"maybe"}]}`,
    'at tiers.0.accept: Choose one of: agree, valid_json',
  ],
])('a cascade file with %s is refused with the reason', async (text, words) => {
  const { code, stderr } = await newModelport().run([...create, '--cascade', fileWith(text)])

  expect(code).toBe(2)
  expect(stderr).toContain('--cascade: ')
  expect(stderr).toContain(words)
})

test.each([
  ['--allow-providers', 'openai', 'routing.providers: No model of the router'],
  ['--allow-regions', 'FRA', 'routing.regions: No model of the router'],
  ['--require', 'vision', 'routing.requires: No model of the router'],
])('%s that leaves the router without a model is refused', async (option, value, words) => {
  const { code, stderr } = await newModelport().run([...create, option, value])

  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) })
})

test('a cascade asks models of the router only', async () => {
  const tiers = [{ models: ['openai:gpt-5'], accept: 'valid_json' }]
  const file = fileWith(JSON.stringify({ tiers }))
  const { code, stderr } = await newModelport().run([...create, '--cascade', file])

  expect(code).toBe(2)
  expect(stderr).toContain('routing.cascade.tiers.0.models: This router does not have the model')
})

test('export and import carry the routing options', async () => {
  const given = ['--no-fallback', '--log-content', '7', '--cascade']
  const { run, json, id, update } = await newRouter(...given, fileWith(JSON.stringify(cascade)))
  const [before] = await json('router', 'show', id)
  const file = join(temporaryFolder(), 'configuration.json')
  await run(['export', file])
  await update('--fallback', '--log-content', 'off', '--cascade', 'off')

  const imported = await run(['import', file, '--yes'])

  expect(imported).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('routing.contentDays: 7'),
  })
  const [after] = await json('router', 'show', id)
  expect(after?.['routing']).toEqual(before?.['routing'])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    routers: [{ name: 'Local' }, { routing: { fallback: false, contentDays: 7, cascade } }],
  })
})
