/** A refused web page: shown in the window, allowed with one click, and refused again. */
import { readFile } from 'node:fs/promises'
import { Agent, fetch } from 'undici'
import { expect, test } from './fixtures.ts'
import { openSettings } from './open-settings.ts'

const origin = 'https://notes.example.com'

test('a refused origin is allowed with one click, and removed in the settings', async ({
  openApp,
}) => {
  const { window } = await openApp()
  const endpoint = await window.evaluate(async () => {
    const answer = await modelport.call('endpoint:listen', { port: 0 })
    return answer.ok && answer.value.status === 'listening' ? answer.value : null
  })
  const dispatcher = new Agent({ connect: { ca: await readFile(endpoint?.caFile ?? '', 'utf8') } })
  /** 403 when the origin is refused; 401 when the invalid key is checked. */
  const statusForPage = async () => {
    const headers = { origin, authorization: 'Bearer mp_none' }
    const url = `${endpoint?.url}/api/router/router_none/v1/models`
    return (await fetch(url, { dispatcher, headers })).status
  }
  const alarm = window.getByRole('region', { name: 'Alarms' })

  expect(await statusForPage()).toBe(403)
  await expect(alarm).toContainText(`Origin ${origin} was refused`)
  await alarm.getByRole('button', { name: 'Allow this origin' }).click()
  await expect(alarm.getByRole('button')).toHaveCount(0)
  expect(await statusForPage()).toBe(401)

  await openSettings(window, 'Server')
  await window.getByRole('button', { name: `Remove ${origin}` }).click()
  await expect(window.getByText('No origins allowed or refused.')).toBeVisible()
  expect(await statusForPage()).toBe(403)
  await dispatcher.close()
})
