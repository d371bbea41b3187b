import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'

test('names a web origin that a running service refused, and the command to allow it', async () => {
  const { run, json, dataDir } = newModelport()
  await json('settings', 'set', 'allowedOrigins', '["app://first"]')
  writeFileSync(join(dataDir, 'refused-origins.json'), '["https://a.example"]')

  const { stderr } = await run(['settings', 'get', 'allowedOrigins'])

  expect(stderr).toBe(
    `The service refused a request from a web page of https://a.example. If you trust it: modelport settings set allowedOrigins '["app://first","https://a.example"]'\n`,
  )
})

test('a note written by another program is not shown', async () => {
  const { run, json, dataDir } = newModelport()
  await json('settings', 'get', 'theme')
  writeFileSync(join(dataDir, 'refused-origins.json'), `["https://a.example'; rm -rf '"]`)

  expect((await run(['settings', 'get'])).stderr).toBe('')
})
