import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'

const figures = ['--input-usd-per-mtok', '1', '--output-usd-per-mtok', '2', '--context', '8000']

async function newRouter() {
  const { run, json } = newModelport()
  await json(
    'provider',
    'add',
    'mine',
    '--type',
    'openai-compatible',
    '--base-url',
    'https://a.test',
  )
  const ids = ['mine:gpt-a', 'mine:llama-b', 'mine:claude-c']
  for (const id of ids) await json('model', 'add', id, ...figures)
  const models = ids.slice(0, 2).join(',')
  const create = ['--name', 'Everyday', '--strategy', 'cost_optimized', '--models', models]
  const [router] = await json('router', 'create', ...create)
  const id = String(router?.['id'])
  return { id, json, update: (...given: string[]) => run(['router', 'update', id, ...given]) }
}

/** A dozen processes start one after the other. */
const slow = { timeout: 90_000 }

test('turns shadow sampling on, changes one part of it, and turns it off', slow, async () => {
  const { id, json, update } = await newRouter()
  const shadowOf = async () => Object((await json('router', 'show', id))[0]?.['routing']).shadow
  expect(await shadowOf()).toBeNull()
  const judge = 'mine:claude-c'
  const on = await update('--shadow', '.05', '--shadow-judge', judge, '--shadow-usd-per-day', '1.5')
  expect(on.stdout).toMatch(/^SHADOW SAMPLES +5 %, \$1\.50 a day, judge mine:claude-c$/m)
  await update('--shadow', '0.2', '--name', 'Another')
  expect(await shadowOf()).toEqual({ share: 0.2, maxUsdPerDay: 1.5, judge })
  const runs = await json('tune', 'list')
  expect(runs).toMatchObject([{ id: `shadow-${id}`, from: 'shadow', state: 'sampling' }])
  await update('--shadow', 'off')
  expect(await shadowOf()).toBeNull()
  expect(await json('tune', 'list')).toEqual([])
})

test('refuses incomplete and impossible settings, naming what is wrong', slow, async () => {
  const { update } = await newRouter()
  const cap = ['--shadow-usd-per-day', '1']
  for (const [given, words] of [
    [['--shadow', '.05', ...cap], 'needs --shadow-judge'],
    [['--shadow', '.05', '--shadow-judge', 'mine:claude-c'], 'needs --shadow-usd-per-day'],
    [['--shadow', '2', ...cap], 'Enter a share above 0, up to 1'],
    [['--shadow', '1', '--shadow-judge', 'mine:gpt-a', ...cap], 'routing.shadow.judge'],
    [['--shadow', '1', '--shadow-judge', 'mine:none', ...cap], 'routing.shadow.judge'],
  ] as const) {
    const { code, stderr } = await update(...given)
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
  }
})
