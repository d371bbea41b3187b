import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { previewSchema } from '../../shared/routers/preview.ts'

/** A router with two models of one provider; the second is cheap and has a small context. */
async function modelportWithRouter() {
  const modelport = newModelport()
  const { run } = modelport
  // Nothing listens here: a request would fail.
  const provider = ['provider', 'add', 'p', '--type', 'openai-compatible']
  await run([...provider, '--base-url', 'http://127.0.0.1:9/v1', '--private-network'])
  const add = async (name: string, usd: string, context: string, quality: string) => {
    const prices = ['--input-usd-per-mtok', usd, '--output-usd-per-mtok', usd]
    const facts = ['--context', context, '--quality', quality]
    const added = await run(['model', 'add', `p:${name}`, ...prices, ...facts])
    if (added.code !== 0) throw new Error(added.stderr)
  }
  await add('large', '5', '100000', '0.9')
  await add('small', '0.1', '1100', '0.85')
  const create = ['router', 'create', '--name', 'Mine', '--strategy', 'cost_optimized']
  const { stdout } = await run([...create, '--models', 'p:large,p:small'])
  return { ...modelport, routerId: String(JSON.parse(stdout).id) }
}

test('shows the model first, then the reason, the expected figures and the candidates', async () => {
  const { run, routerId } = await modelportWithRouter()

  const { code, stdout, stderr } = await run(['explain', 'Hello', '--router', routerId])

  expect(stderr).toBe('These are estimates: no request was sent.\n')
  expect(code).toBe(0)
  const [model, why] = stdout.split('\n')
  expect(model).toBe('p:small')
  expect(why).toMatch(/\.$/)
  expect(stdout).toMatch(
    /^Expected: \$0\.\d+ \(one in ten over \$0\.\d+\), .*quality \d\d \(\d+–\d+\)/m,
  )
  expect(stdout).toMatch(
    /^MODEL +QUALITY +COST +TIME +CO2E\np:small +\d\d \(\d+–\d+\) .*\np:large /m,
  )
})

test('with --json, prints the preview as one value and changes nothing', async () => {
  const { json, run, routerId } = await modelportWithRouter()

  const [preview] = await json('explain', 'Hello', '--router', routerId, '--max-tokens', '50')
  const { stdout: rows } = await run(['requests', '--json'])

  const { model, expected, decision } = previewSchema.parse(preview)
  expect(model).toBe('p:small')
  expect(expected.outputTokens).toBeLessThan(51)
  expect(decision.maxOutputTokens).toBe(50)
  expect(rows).toBe('')
})

test('reads a long prompt from stdin, and names the excluded model', async () => {
  const { run, routerId } = await modelportWithRouter()
  const stdin = 'Summarise the report. '.repeat(600)

  const { stdout } = await run(['explain', '-', '--router', routerId], { stdin })

  expect(stdout.split('\n')[0]).toBe('p:large')
  expect(stdout).toMatch(/^EXCLUDED +REASON\np:small /m)
})

test('counts the system prompt', async () => {
  const { json, routerId } = await modelportWithRouter()
  const explain = ['explain', 'Hello', '--router', routerId]

  const [short] = await json(...explain)
  const [long] = await json(...explain, '--system', 'You are an assistant. '.repeat(600))

  expect(previewSchema.parse(short).model).toBe('p:small')
  expect(previewSchema.parse(long).model).toBe('p:large')
})

test('without --router, uses the only router and asks for one of several', async () => {
  const modelport = await modelportWithRouter()
  const { run, json, routerId } = modelport

  // A new data folder has a router with the built-in model, too.
  const several = await run(['explain', 'Hello'])
  const routers = await json('router', 'list')
  const other = routers.map(({ id }) => String(id)).find((id) => id !== routerId)
  await run(['router', 'delete', String(other)])
  const only = await run(['explain', 'Hello'])

  expect(several).toMatchObject({ code: 2, stdout: '' })
  expect(several.stderr).toContain(routerId)
  expect(only.stdout).toMatch(/^p:small\n/)
})

test('an empty prompt and an unknown router are refused', async () => {
  const { run } = newModelport()

  expect(await run(['explain', ' '])).toMatchObject({ code: 2 })
  expect(await run(['explain', 'Hello', '--router', 'router_x'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no router "router_x".'),
  })
})
