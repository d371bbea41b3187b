/** The Python package as its users get it: a wheel, installed into empty environments of the oldest and the newest Python. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outputOf } from '../test/examples.ts'
import { snippetsOf, startServiceForSdk, type ServiceForSdk } from '../test/service-for-sdk.ts'
import { startTestService } from '../../test/test-service.ts'
import { makeFolder, root, run } from './empty-project.ts'

const source = path.join(root, 'sdk-python')
const examples = readdirSync(path.join(source, 'examples'))

/** Programs of each version that this package supports, the oldest first. */
function findPythons(): { program: string; version: string }[] {
  const installed = path.join(
    process.env['PYENV_ROOT'] ?? path.join(homedir(), '.pyenv'),
    'versions',
  )
  const names = [
    'python3',
    ...[10, 11, 12, 13, 14].map((minor) => `python3.${minor}`),
    ...(existsSync(installed) ? readdirSync(installed) : []).map((version) =>
      path.join(installed, version, 'bin/python3'),
    ),
  ]
  const found = new Map<string, string>()
  for (const name of names) {
    const version = versionOf(name)
    if (version !== null && !found.has(version)) found.set(version, name)
  }
  const byVersion = [...found].map(([version, program]) => ({ version, program }))
  return byVersion.toSorted((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }))
}

/** Such as `3.12`; null for a program that is missing or older than 3.10. */
function versionOf(program: string): string | null {
  const code = 'import sys; print(sys.version_info >= (3, 10), "%d.%d" % sys.version_info[:2])'
  try {
    const output = execFileSync(program, ['-c', code], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [isSupported, version] = output.toString().trim().split(' ')
    return isSupported === 'True' ? (version ?? null) : null
  } catch {
    return null
  }
}

const pythons = findPythons()
const oldest = pythons.at(0) ?? { program: '', version: 'missing' }
const environments = [
  { ...oldest, openai: 'openai==3.0.0' },
  { ...(pythons.at(-1) ?? oldest), openai: 'openai==3.54.0' },
]

let service: ServiceForSdk
let folder: string
let wheel: string
let tests: Record<string, string>

/** Programs of a virtual environment. */
const inEnvironment = (name: string): string =>
  path.join(process.platform === 'win32' ? 'Scripts' : 'bin', name)

async function makeEnvironment(program: string, name: string): Promise<string> {
  const environment = path.join(folder, name)
  await run([program, '-m', 'venv', environment], { cwd: folder })
  return environment
}

async function install(environment: string, packages: string[]): Promise<void> {
  await run([path.join(environment, inEnvironment('pip')), 'install', '--quiet', ...packages], {
    cwd: folder,
  })
}

beforeAll(async () => {
  service = await startServiceForSdk(afterAll)
  const other = await startTestService({}, afterAll)
  folder = await makeFolder(afterAll)
  tests = {
    LIMITED_ROUTER_ID: await makeExhaustedRouter(service),
    CA_FILE: authorityOf(service),
    OTHER_CA_FILE: authorityOf(other),
  }
  if (pythons.length === 0) throw new Error('No Python 3.10 or newer was found. Install one.')
  const builder = await makeEnvironment(oldest.program, 'builder')
  const pip = path.join(builder, inEnvironment('pip'))
  await run([pip, 'wheel', '--quiet', '--no-deps', '--wheel-dir', folder, source], { cwd: folder })
  wheel = path.join(folder, readdirSync(folder).find((name) => name.endsWith('.whl')) ?? '')
})

function authorityOf({ service: running }: Pick<ServiceForSdk, 'service'>): string {
  const endpoint = running.endpoint()
  return endpoint.status === 'listening' ? endpoint.caFile : ''
}

/** @returns the id of a router that has no request left today */
async function makeExhaustedRouter(started: ServiceForSdk): Promise<string> {
  const { id } = await started.service.dashboard.createRouter({
    name: 'Limited',
    strategy: 'priority',
    models: ['fake:fake-model'],
    tier: 'enterprise',
    dailyLimit: 1,
  })
  await started.post(`../${id}/chat/completions`, {
    messages: [{ role: 'user', content: 'Hello' }],
  })
  return id
}

test('the wheel has the package, its types and its licence, and nothing else', async () => {
  const names = await run([oldest.program, '-m', 'zipfile', '-l', wheel], { cwd: folder })

  const files = [...names.matchAll(/^(\S+)/gm)].map(([, name = '']) => name).slice(1)
  const sources = readdirSync(path.join(source, 'src/modelport')).filter(
    (name) => name !== '__pycache__',
  )
  expect(files.filter((name) => name.startsWith('modelport/')).toSorted()).toEqual(
    sources.map((name) => `modelport/${name}`).toSorted(),
  )
  expect(files.some((name) => name.endsWith('licenses/LICENSE'))).toBe(true)
})

describe.each(environments)('Python $version with $openai', ({ program, version, openai }) => {
  let project: string
  let python: string
  /** No variable about certificates, and none of this process but PATH. */
  const variables = (): Record<string, string> => ({
    ...service.environment,
    PATH: process.env['PATH'] ?? '',
  })

  beforeAll(async () => {
    project = await makeEnvironment(program, `${version}-${openai}`)
    python = path.join(project, inEnvironment('python'))
    await install(project, [wheel, openai, 'pytest==9.2.0', 'mypy==2.4.1'])
    for (const name of ['examples', 'tests']) {
      cpSync(path.join(source, name), path.join(project, name), { recursive: true })
    }
  })

  test.each(examples)('runs %s', async (file) => {
    const output = await run([python, path.join('examples', file)], {
      cwd: project,
      env: variables(),
    })

    expect(output).toMatch(outputOf(file) ?? /no output is expected of this example/)
  })

  test('runs the snippet of “modelport connect”', async () => {
    const snippets = await snippetsOf(service, 'modelport-python')
    const command = `${snippets.variables}\nexec '${python}' -c "$PROGRAM"`

    const output = await run(['sh', '-c', command], {
      cwd: project,
      env: { ...service.folders, PATH: process.env['PATH'] ?? '', PROGRAM: snippets.program },
    })

    expect(output).toBe('Paris.\n')
  })

  test('passes the package’s own tests', async () => {
    const output = await run([python, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'], {
      cwd: project,
      env: { ...variables(), ...tests },
    })

    const defined = ['test_client.py', 'test_async_client.py'].map(
      (name) =>
        readFileSync(path.join(source, 'tests', name), 'utf8').split(/^def test_/m).length - 1,
    )
    const [, passed = '0'] = /(\d+) passed/.exec(output) ?? []
    expect(Number(passed)).toBeGreaterThanOrEqual(defined.reduce((sum, count) => sum + count))
    expect(output).not.toMatch(/failed|skipped|error/i)
  })

  test('has types that mypy --strict accepts, in itself, the examples and the tests', async () => {
    const mypy = path.join(project, inEnvironment('mypy'))
    const options = ['--strict', '--scripts-are-modules', '--no-error-summary']
    const files = examples.map((file) => path.join('examples', file))

    const users = await run([mypy, ...options, ...files, 'tests'], { cwd: project })
    const own = await run([mypy, ...options, '-p', 'modelport'], { cwd: project })

    expect(users + own).toBe('')
  })
})
