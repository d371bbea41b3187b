import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { withFileVariables } from './file-variables.ts'

test('a variable with _FILE takes its value from the file, without the line end', () => {
  const file = join(temporaryFolder(), 'database_url')
  writeFileSync(file, 'postgres://modelport:secret@db/modelport\n')

  const env = withFileVariables({ HOME: '/data', MODELPORT_DATABASE_URL_FILE: file })

  expect(env['MODELPORT_DATABASE_URL']).toBe('postgres://modelport:secret@db/modelport')
  expect(env['HOME']).toBe('/data')
})

test('a missing file, and a value given twice, are wrong usage', () => {
  const twice = { MODELPORT_SHARED_URL_FILE: '/a', MODELPORT_SHARED_URL: 'valkey://a' }

  expect(() => withFileVariables({ MODELPORT_SHARED_URL_FILE: '/no/url' })).toThrow(
    'MODELPORT_SHARED_URL_FILE: The file /no/url cannot be read (ENOENT).',
  )
  expect(() => withFileVariables(twice)).toThrow(
    'Set MODELPORT_SHARED_URL or MODELPORT_SHARED_URL_FILE, not both.',
  )
})
