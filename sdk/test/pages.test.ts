/** The pages about the SDKs: their code is that of the examples, which other tests run. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { errorCodes } from '../src/errors.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

const examples = ['sdk/examples', 'sdk-python/examples'].flatMap((folder) =>
  readdirSync(path.join(root, folder)).map((name) => read(path.join(folder, name))),
)

describe.each(['sdk/README.md', 'sdk-python/README.md', 'docs/sdk.md'])('%s', (page) => {
  const blocks = [...read(page).matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language, code]) => ({
    language,
    code,
  }))

  test('shows no program but the examples', () => {
    const programs = blocks.filter(({ language }) => language !== 'sh')

    expect(programs.length).toBeGreaterThan(0)
    expect(examples).toEqual(expect.arrayContaining(programs.map(({ code }) => code)))
  })
})

const { version } = JSON.parse(read('sdk/package.json')) as { version: string }
/** The file that `npm pack` makes: npm would only link the folder, without its peer `openai`. */
const npm = `\nnpm pack /path/to/modelport/sdk\nnpm install ./modelport-sdk-${version}.tgz`
const pip = /\bpip install \/path\/to\/modelport\/sdk-python$/m

test.each([
  ['README.md', [npm, pip]],
  ['docs/sdk.md', [npm, pip]],
  ['sdk/README.md', [npm]],
  ['sdk-python/README.md', [pip]],
])('%s installs from the checkout until the SDKs are published', (page, commands) => {
  for (const command of commands) expect(read(page)).toMatch(command)
})

test('the first program of README.md uses our SDK', () => {
  const [, firstLine] = /```js\n(.*)\n/.exec(read('README.md')) ?? []

  expect(firstLine).toBe("import { Modelport } from '@modelport/sdk'")
})

describe.each(['sdk/README.md', 'sdk-python/README.md'])('the errors of %s', (page) => {
  test('are all that there are', () => {
    const listed = errorCodes.filter((code) => read(page).includes(`\`${code}\``))

    expect(listed).toEqual(errorCodes)
  })
})
