/** Most tests call the command line in their own process; these show that a process of its own does the same and ends. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newModelport, type Ran } from '../../../test/command-line/modelport.ts'
import { startFakeProvider } from '../../../test/fake-provider.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'

const agent = 'name: one-step\nsteps: [{ id: only, type: prompt, user: "Say {{ input }}" }]\n'
const figures = ['--input-usd-per-mtok', '1', '--output-usd-per-mtok', '2', '--context', '8000']

/** One data folder for all commands of this file: none of them changes it. */
const dataDir = temporaryFolder(afterAll)
const exported = join(dataDir, 'exported.json')
let routerId = ''
/** No request goes to its model, so its estimates come from the catalogue and do not change between two runs. */
let unusedRouterId = ''

beforeAll(async () => {
  const { json, run } = newModelport(dataDir)
  const fake = await startFakeProvider({ tls: false, models: { fast: {} } })
  await json('provider', 'add', 'mine', '--type', 'openai-compatible', '--base-url', fake.url)
  await json('model', 'add', 'mine:fast', ...figures)
  await json('model', 'add', 'mine:unused', ...figures)
  const createRouter = async (name: string, model: string) => {
    const named = ['--name', name, '--strategy', 'priority', '--models', model]
    return String((await json('router', 'create', ...named))[0]?.['id'])
  }
  routerId = await createRouter('Mine', 'mine:fast')
  unusedRouterId = await createRouter('Unused', 'mine:unused')
  writeFileSync(join(dataDir, 'agent.yaml'), agent)
  await json('agent', 'apply', join(dataDir, 'agent.yaml'))
  writeFileSync(exported, (await run(['export', '-'])).stdout)
  return () => fake.close()
})

test.each([
  ['provider', 0, () => ['provider', 'test', 'mine']],
  ['model', 0, () => ['model', 'refresh', 'mine']],
  ['local', 0, () => ['local', 'list']],
  ['catalog', 0, () => ['catalog', 'show']],
  ['router', 1, () => ['router', 'show', 'none']],
  ['key', 0, () => ['key', 'list']],
  ['agent', 0, () => ['agent', 'run', 'one-step', '--router', routerId, '--input', 'Hello']],
  ['feedback', 1, () => ['feedback', 'none', 'up']],
  ['explain', 0, () => ['explain', 'Hello', '--router', unusedRouterId]],
  ['tune', 0, () => ['tune', 'list']],
  ['settings', 2, () => ['settings', 'set', 'port', 'high']],
  ['import', 0, () => ['import', exported, '--dry-run', '--replace']],
  ['export', 0, () => ['export', '-']],
] as const)(
  '%s prints the same in a process of its own, which exits %i',
  async (_group, exitCode, command) => {
    const { run, runProcess } = newModelport(dataDir)

    const own = await runProcess(command())

    expect(own).toMatchObject({ code: exitCode })
    expect(own.stdout + own.stderr).not.toBe('')
    expect(withoutTimes(own)).toEqual(withoutTimes(await run(command())))
  },
)

function withoutTimes({ code, stdout, stderr }: Ran): Ran {
  const timeless = (text: string) => text.replaceAll(/\d[\d.]* (?:ms|s|min \d+ s)\b/g, '… ms')
  return { code, stdout: timeless(stdout), stderr: timeless(stderr) }
}
