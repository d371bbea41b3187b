/** The pages for people who connect tools: complete, current, and with code that runs. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { notRunMark, toolPages } from '../../scripts/tool-pages/pages.ts'
import { errorCodes } from '../../src/service/errors.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

const run = promisify(execFile)
const docs = join(import.meta.dirname, '..', '..', 'docs')
const page = (name: string) => readFileSync(join(docs, name), 'utf8')

test('docs/tools is what scripts/tool-pages.ts writes', () => {
  const written = toolPages()
  expect(new Set(readdirSync(join(docs, 'tools')))).toEqual(new Set(written.keys()))
  for (const [name, text] of written) expect(page(join('tools', name))).toBe(text)
})

test('docs/troubleshooting.md has a section for each error code, and no others', () => {
  const sections = [...page('troubleshooting.md').matchAll(/^### `(\w+)`$/gm)].map(
    ([, code]) => code,
  )
  expect(new Set(sections)).toEqual(new Set(errorCodes))
  expect(sections).toHaveLength(errorCodes.length)
})

/** Blocks of code with whether the page says that no test runs them. */
function blocksOf(name: string): { code: string; isRun: boolean }[] {
  const pattern = /(<!-- [^\n]* -->\n\n)?```(\w+)\n([\s\S]*?)```/g
  return [...page(name).matchAll(pattern)].map(([, mark, , code]) => ({
    code: code ?? '',
    isRun: mark?.trim() !== notRunMark,
  }))
}

test('docs/troubleshooting.md has no code that could be outdated', () => {
  expect(blocksOf('troubleshooting.md')).toEqual([])
})

describe('docs/doors.md', () => {
  let running: TestService
  let caFile: string
  const atEnd = endOfGroup()
  beforeAll(async () => {
    running = await startTestService({}, atEnd)
    caFile = join(running.dataDir, 'tls', 'ca.pem')
  })

  const commands = blocksOf('doors.md').filter(({ isRun }) => isRun)

  test.each(commands.map(({ code }) => [code.split('\n')[0], code] as const))(
    '%s answers',
    async (_first, code) => {
      const env = {
        PATH: process.env['PATH'],
        ROUTER_URL: running.routerUrl,
        MODELPORT_API_KEY: running.apiKey,
        CURL_CA_BUNDLE: caFile,
      }
      const { stdout } = await run('sh', ['-c', code], { env })
      expect(JSON.parse(stdout)).toMatchObject(
        code.includes('/models') ? { object: 'list' } : { _meta: { modelUsed: 'fake:fake-model' } },
      )
    },
  )

  test('has a command for each door', () => {
    expect(commands).toHaveLength(4)
  })

  test('docs/troubleshooting.md quotes what curl and Node.js say about the certificate', async () => {
    const curl = await failureOf(run('curl', [running.origin]))
    const node = await failureOf(fetch(running.origin))
    const [, quoted = 'nothing'] = /(SSL certificate problem: [^\n]*)/.exec(curl.message) ?? []
    expect(page('troubleshooting.md')).toContain(quoted)
    const [said = 'nothing'] = String(node.cause).replace('Error: ', '').split(';')
    expect(page('troubleshooting.md')).toContain(said)
  })
})

async function failureOf(work: Promise<unknown>): Promise<Error> {
  const error: unknown = await work.then(() => null).catch((failure: unknown) => failure)
  if (error instanceof Error) return error
  throw new Error('it did not fail')
}
