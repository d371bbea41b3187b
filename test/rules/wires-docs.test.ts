/** docs/wires.md has a section for each wire, and its vendors are those of the presets. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { presets } from '../../src/service/provider-types/presets.ts'
import type { Extension } from '../../src/service/providers/wire.ts'
import { wires } from '../../src/service/families/upstreams.ts'

const docs = await readFile(path.resolve(import.meta.dirname, '../../docs/wires.md'), 'utf8')
const sections = docs.split(/^## /m).slice(1)

/** The wires that a section names in its first sentence. */
function wiresOf(section: string): string[] {
  const [, sentence = ''] = /\n\n(Wires? [^.]*)/.exec(section) ?? []
  return [...sentence.matchAll(/`([a-z-]+)`/g)].flatMap(([, name = '']) =>
    name in wires ? [name] : [],
  )
}

test('each wire has a section', () => {
  const described = new Set(sections.flatMap(wiresOf))

  expect([...described].toSorted()).toEqual(Object.keys(wires).toSorted())
})

test.each<[Extension, string]>([
  ['cache_control', '`cache_control`'],
  ['reasoning', '`reasoning` of the request'],
  ['message_reasoning', '`reasoning` of a message'],
  ['reasoning_content', '`reasoning_content` of a message'],
  ['reasoning_details', '`reasoning_details` of a message'],
])('the vendors that take %s are those in the table', (extension, field) => {
  const section = sections.find((each) => each.startsWith('OpenAI chat completions')) ?? ''
  const row = section.split('\n').find((line) => line.startsWith(`| ${field} `)) ?? ''
  const [, named = ''] = /passed to (.*?); for other/.exec(row) ?? []

  const vendors = presets
    // The sentence after the table is about servers of the user's own.
    .filter(({ wire, isSelfHosted }) => wire === 'openai-chat' && !isSelfHosted)
    .filter(({ extensions }) => extensions?.includes(extension))
    .map(({ name }) => name.replace(/ (AI|\().*$/, ''))

  expect(named.split(/, | and /).toSorted()).toEqual(vendors.toSorted())
})
