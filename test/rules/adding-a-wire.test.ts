/**
 * A wire and a preset that uses it are added in a copy of the tree: the wire is a folder and its line in the list,
 * the preset one entry. The copy must compile, and the new provider must answer through the service's adapter.
 */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyTree, insertInto, root, type TreeCopy } from './tree-copy.ts'
import { compatiblePreset } from '../sample-preset.ts'

const run = promisify(execFile)
const service = 'src/service'

/** A vendor that takes and gives one text. */
const wire = `import { HttpProvider } from '../../providers/http-provider.ts'
import { EventReader } from '../../providers/sse.ts'
import type { EventConsumer, Wire } from '../../providers/wire.ts'

const reader: EventConsumer = {
  isEnd: (data) => data === 'end',
  append: (chunk) => chunk,
}

export const acme: Wire = {
  lacks: ['vision'],
  create: (connection) =>
    new HttpProvider(connection, {
      chatRequest: ({ body, model }, isStreamed) => ({
        path: '/say',
        body: JSON.stringify({ model, text: body.messages.at(-1)?.content }),
        isStreamed,
      }),
      headers: (_request, key) => ({ 'content-type': 'application/json', 'acme-key': key ?? '' }),
      isStream: () => false,
      newEvents: () => new EventReader(),
      newReader: () => reader,
      readWhole: (body) => ({
        choices: [{ index: 0, delta: { content: body }, finish_reason: 'stop' }],
        usage: null,
      }),
      readRefusal: (status) => ({
        kind: 'unavailable',
        message: \`the provider answered with status \${status}\`,
        upstreamMessage: null,
      }),
      listModels: async () => ['one'],
    }),
}
`
const preset = `
  {
    type: 'acme',
    wire: 'acme',
    name: 'Acme',
    baseUrl: 'https://api.acme.example',
    keyRule: 'required',
    keyUrl: null,
    documentation: { url: 'https://docs.acme.example', comparedAt: null },
    isLocal: false,
    isSelfHosted: false,
    options: [],
  },`

/** Asks a server that repeats what it gets. */
const probe = `
import { createServer } from 'node:http'
import { capabilitiesLost, createProvider } from './${service}/provider-types/provider-types.ts'
import { Outbound } from './${service}/providers/outbound.ts'

const server = createServer((request, response) => {
  request.on('data', (bytes) => response.end(request.headers['acme-key'] + ' ' + bytes))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const outbound = new Outbound({
  proxyChoice: () => ({ setting: 'direct', env: {} }),
  extraRoots: async () => [],
})
const provider = createProvider('acme', {
  baseUrl: 'http://127.0.0.1:' + server.address().port,
  apiKey: () => 'k',
  privateNetwork: false,
  options: {},
  now: () => 0,
  connector: (connectMs) => outbound.connector({ privateNetwork: false, connectMs }),
})
const body = { messages: [{ role: 'user', content: 'Hello' }] }
const answer = await provider.complete({ model: 'm', body }, new AbortController().signal)
console.log(JSON.stringify({
  text: answer.choices[0].delta.content,
  lost: capabilitiesLost({ type: 'acme', options: {} }, 'm'),
}))
await provider.close()
server.close()
`

let tree: TreeCopy

beforeAll(async () => {
  tree = await copyTree()
  const folder = path.join(tree.folder, service)
  await mkdir(path.join(folder, 'families/acme'))
  await writeFile(path.join(folder, 'families/acme/acme.ts'), wire)
  const list = path.join(folder, 'families/upstreams.ts')
  await insertInto(list, {
    start: '',
    end: 'import { anthropic }',
    text: "import { acme } from './acme/acme.ts'\n",
  })
  await insertInto(list, { start: 'const wires', end: '\n} as const', text: '\n  acme,' })
  await insertInto(path.join(folder, 'provider-types/presets.ts'), {
    start: 'const presets:',
    end: '\n]\n',
    text: preset + compatiblePreset.replace("'acme'", "'compatible'"),
  })
})

afterAll(() => tree.remove())

test('a wire is its folder and its line in the list; a preset is one entry', async () => {
  expect(await tree.newFiles()).toEqual(['service/families/acme/acme.ts'])
  expect(await tree.changedFiles()).toEqual([
    'service/families/upstreams.ts',
    'service/provider-types/presets.ts',
  ])
})

test('the tree with both compiles', async () => {
  const compiler = path.join(root, 'node_modules/.bin/tsc')

  await expect(run(compiler, ['-p', tree.folder])).resolves.toMatchObject({ stdout: '' })
})

test('the new provider answers, and its models lose what the wire lacks', async () => {
  await writeFile(path.join(tree.folder, 'probe.ts'), probe)

  const { stdout } = await run(process.execPath, ['probe.ts'], { cwd: tree.folder })

  expect(JSON.parse(stdout)).toEqual({ text: 'k {"model":"m","text":"Hello"}', lost: ['vision'] })
})
