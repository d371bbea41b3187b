/**
 * `npm run conformance`: two suites of others, llmprobe and llm-comply, on every door of a running service, then random
 * requests. Each requirement that does not hold must be in `known-gaps.ts` with its reason; any other one fails the
 * command, and so does a request to an upstream that does not fit the vendor's OpenAPI document. Nothing is uploaded.
 * `npm run conformance -- mcp` runs MCP's own suite instead, on the connections of the chat's tools.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findCacheDir } from '../scripts/setup/paths.mjs'
import { ensureSystemPackages } from '../scripts/setup/system-packages.mjs'
import type { Door } from './check.ts'
import { startCommand } from './command.ts'
import { installClient } from './install.ts'
import { runMcpConformance } from './mcp/conformance.ts'
import { reasonFor, type Failure } from './known-gaps.ts'
import { sendRandomRequests } from './random-requests.ts'
import { startSpecifiedUpstreams, type SpecifiedUpstreams } from './specified-upstreams.ts'
import { startTestBed, type StartedTestBed } from './start-test-bed.ts'
import type { TestBed } from './test-bed.ts'

const llmprobe = {
  id: 'llmprobe',
  packages: { from: 'npm', versions: { llmprobe: '0.6.12' } },
} as const
const llmComply = {
  id: 'llm-comply',
  packages: { from: 'PyPI', versions: { 'llm-comply': '0.5.0' } },
} as const
const suiteLimitMs = 300_000
const randomRequests = 1_000
const shownCharacters = 2_000

/** Upstreams for which the service translates: with a provider of the door's own form, the answer is the fake's. */
const translating = { chat: 'Anthropic', responses: 'Anthropic', messages: 'OpenAI' } as const
const doors = ['chat', 'responses', 'messages'] as const
const formats = { chat: 'openai-chat', responses: 'open-responses', messages: 'anthropic' } as const

process.exitCode =
  process.argv[2] === 'mcp' ? await runMcpConformance(findCacheDir(process.env)) : await run()

async function run(): Promise<number> {
  const cacheDir = findCacheDir(process.env)
  await ensureSystemPackages({ window: false, tests: false, clients: true })
  const { upstreams, checks } = await startSpecifiedUpstreams(cacheDir)
  const started = await startTestBed(cacheDir, Promise.resolve(upstreams)).catch(async (error) => {
    await upstreams.close()
    throw error
  })
  try {
    const failures: Failure[] = []
    const probe = await installClient(llmprobe, cacheDir)
    const comply = await installClient(llmComply, cacheDir)
    for (const door of doors) {
      failures.push(...(await runLlmprobe(started, probe, door)))
      failures.push(...(await runLlmComply(started, comply, door)))
    }
    failures.push(...takeRefused('suites', checks))
    for (const door of doors) failures.push(...(await runRandomRequests(started.bed, door)))
    failures.push(...findUnseen(checks))
    failures.push(...takeRefused('random', checks))
    return report(failures)
  } finally {
    await started.close()
  }
}

async function runRandomRequests(bed: TestBed, door: Door): Promise<Failure[]> {
  const problems = await sendRandomRequests(bed, { door, count: randomRequests })
  const answered = randomRequests - problems.length
  process.stdout.write(`random  ${door}  ${answered} of ${randomRequests} requests answered\n`)
  return problems.map((message) => ({ suite: 'random', door, id: 'answer', message }))
}

/** Requests that reach no upstream are compared with nothing; each upstream gets a third of each door's. */
function findUnseen(checks: SpecifiedUpstreams['checks']): Failure[] {
  return doors.flatMap((door) => {
    const { requests } = checks[door]
    if (requests >= randomRequests / 2) return []
    return [{ suite: 'random', door, id: 'upstream', message: `only ${requests} requests arrived` }]
  })
}

/** Counts the requests to the upstreams since the last call. @returns those that do not fit the vendor's document */
function takeRefused(source: string, checks: SpecifiedUpstreams['checks']): Failure[] {
  return doors.flatMap((door) => {
    const { requests, refused, steadyFaults } = checks[door]
    const faults = steadyFaults === 0 ? '' : `, ${steadyFaults} of them by the validator alone`
    const fits = `${requests - refused.length} of ${requests} requests`
    process.stdout.write(`Steady  ${source} to the ${door} upstream  ${fits}${faults}\n`)
    Object.assign(checks[door], { requests: 0, refused: [], steadyFaults: 0 })
    return refused.map(({ method, path, body, problems }) => ({
      suite: `Steady, ${source}`,
      door,
      id: `${method} ${path}`,
      message: `${problems.join('; ')} in ${body}`.slice(0, shownCharacters),
    }))
  })
}

function report(failures: readonly Failure[]): number {
  const lines = failures.map((failure) => {
    const { suite, door, id, message } = failure
    const reason = reasonFor(failure) ?? `NOT EXPLAINED: ${message}`
    return `${suite}  ${door}  ${id}  ${reason}\n`
  })
  process.stdout.write([...new Set(lines)].join(''))
  const unexplained = failures.filter((failure) => reasonFor(failure) === null)
  process.stdout.write(`${failures.length} gaps, ${unexplained.length} without a reason\n`)
  return unexplained.length === 0 ? 0 : 1
}

interface ProbeReport {
  conformance: {
    bySurface: { surface: string; passed: number; total: number }[]
    results: {
      surface: string
      id: string
      failures: { id: string; severity: string; message: string }[]
    }[]
  }
}

async function runLlmprobe(
  started: StartedTestBed,
  installed: string,
  door: Door,
): Promise<Failure[]> {
  const file = join(started.folder, `llmprobe-${door}.json`)
  const program = join(installed, 'node_modules', '.bin', 'llmprobe')
  const { bed } = started
  const target = [routerUrl(started, door), '-k', bed.toolKey, '-m', 'auto']
  const args = [program, ...target, '--no-bench', '--no-save', '--save', file]
  await runSuite(started, process.execPath, args)
  const { conformance } = await readReport<ProbeReport>(file)
  const found = conformance.bySurface.find(({ surface }) => surface === door)
  process.stdout.write(`llmprobe  ${door}  ${found?.passed} of ${found?.total} requirements\n`)
  return conformance.results
    .filter(({ surface }) => surface === door)
    .flatMap((result) =>
      result.failures
        .filter(({ severity }) => severity === 'MUST')
        .map(({ message }) => ({ suite: llmprobe.id, door, id: result.id, message })),
    )
}

interface ComplyReport {
  summary: { total: number; passed: number; skipped: number }
  results: { id: string; status: string; errors?: string[] }[]
}

async function runLlmComply(
  started: StartedTestBed,
  installed: string,
  door: Door,
): Promise<Failure[]> {
  const target = ['-u', routerUrl(started, door), '-k', started.bed.toolKey, '-m', 'auto']
  const start = 'from llm_comply.cli import main; main()'
  const args = ['-c', start, ...target, '--format', formats[door], '--json']
  const printed = await runSuite(started, join(installed, 'bin', 'python'), args)
  // The suite's own JSON.
  const { summary, results } = JSON.parse(printed) as ComplyReport
  const { passed, total, skipped } = summary
  process.stdout.write(`llm-comply  ${door}  ${passed} of ${total - skipped} tests\n`)
  return results
    .filter(({ status }) => status === 'failed')
    .flatMap(({ id, errors = [] }) =>
      errors.map((message) => ({ suite: llmComply.id, door, id, message })),
    )
}

function routerUrl({ bed }: StartedTestBed, door: Door): string {
  return `${bed.origin}/api/router/${bed.routers[translating[door]][door]}/v1`
}

async function runSuite(
  { bed, folder }: StartedTestBed,
  command: string,
  args: readonly string[],
): Promise<string> {
  const trust = { NODE_EXTRA_CA_CERTS: bed.caFile, SSL_CERT_FILE: bed.caBundleFile }
  const env = { PATH: process.env['PATH'], HOME: folder, ...trust }
  const running = startCommand({ command, args, cwd: folder, env }, suiteLimitMs)
  // Both exit with 1 when a test fails.
  await running.ended
  return running.printed()
}

async function readReport<Report>(file: string): Promise<Report> {
  return JSON.parse(await readFile(file, 'utf8')) as Report
}
