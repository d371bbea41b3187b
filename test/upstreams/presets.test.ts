import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { presets } from '../../src/service/provider-types/presets.ts'

const names = new Set(presets.flatMap(({ wire }) => (wire === null ? [] : [wire])))

test.each([...names])('every preset of the %s wire runs in its suite', (wire) => {
  // Wires over two forms of a vendor run with the form that both presets have.
  const file = wire === 'openai' ? 'openai-chat' : wire
  const text = readFileSync(new URL(`./${file}.test.ts`, import.meta.url), 'utf8')

  expect(/presetsOf\(([^)]*)\)/.exec(text)?.[1]).toContain(`'${wire}'`)
})
