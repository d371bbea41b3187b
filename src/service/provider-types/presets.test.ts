import { describe, expect, test } from 'vitest'
import { publishedTypes } from './provider-types.ts'
import { presets } from './presets.ts'

test('each type is named once', () => {
  const types = presets.map(({ type }) => type)

  expect(new Set(types).size).toBe(types.length)
})

describe.each(presets.filter(({ isLocal }) => !isLocal))(
  '$type',
  ({ type, baseUrl, documentation, keyUrl, isSelfHosted, modelList }) => {
    test('sends its key encrypted, or stays on this computer', () => {
      const addresses = [baseUrl, modelList?.baseUrl ?? null].filter((url) => url !== null)

      for (const url of addresses) {
        expect(url).toMatch(isSelfHosted ? /^http:\/\/127\.0\.0\.1:/ : /^https:\/\//)
        expect(url).not.toMatch(/\/$/)
      }
    })

    test('names its documentation, and no comparison in the future', () => {
      expect(new URL(documentation?.url ?? '').protocol).toBe('https:')
      const comparedAtMs = Date.parse(documentation?.comparedAt ?? '2026-01-01')
      expect(comparedAtMs).toBeLessThanOrEqual(Date.now())
    })

    test('has published prices exactly if a vendor runs it', () => {
      expect(publishedTypes().includes(type)).toBe(!isSelfHosted)
      expect(keyUrl === null || !isSelfHosted).toBe(true)
    })
  },
)
