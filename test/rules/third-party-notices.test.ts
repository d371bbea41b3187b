import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { composeNotices, noticesFile } from '../../scripts/third-party-notices.mjs'

test('THIRD-PARTY-NOTICES.md is what scripts/third-party-notices.mjs writes', async () => {
  expect(await readFile(noticesFile, 'utf8')).toBe(composeNotices())
})
