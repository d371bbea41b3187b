import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatBytes } from '../../../shared/strings/format.ts'
import { offeredModels, remoteFileOf } from './offered-models.ts'

test.each(offeredModels)('$title is one commit of a repository, with size and hash', (model) => {
  const { url, sizeBytes, sha256 } = remoteFileOf(model, new URL('https://huggingface.co'))

  expect(url).toMatch(
    /^https:\/\/huggingface\.co\/[\w.-]+\/[\w.-]+\/resolve\/[0-9a-f]{40}\/[\w.-]+\.gguf$/,
  )
  expect(sizeBytes).toBeGreaterThan(90_000_000)
  expect(sha256).toMatch(/^[0-9a-f]{64}$/)
})

test('no two offered models share a name, a file or a hash', () => {
  for (const key of ['name', 'title', 'fileName', 'sha256'] as const) {
    const values = offeredModels.map((model) => model[key])
    expect(new Set(values).size).toBe(values.length)
  }
})

test('the table in docs/models.md lists these models', () => {
  const page = readFileSync(new URL('../../../../docs/models.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `([\w.-]+)` +\| ([\d.]+ [GM]B) +\| ([\w .]+?) +\|/gm)]

  expect(rows.map(([, ...cells]) => cells)).toEqual(
    offeredModels.map(({ name, sizeBytes, licence }) => [
      name,
      formatBytes(sizeBytes),
      licence.name,
    ]),
  )
})
