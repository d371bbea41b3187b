// Advanced router settings: timeouts and hedging.
import { expect, test } from './fixtures.ts'
import { savePicture } from './pictures.ts'

test('timeouts and hedging are set in the window, which shows errors beside the fields', async ({
  openApp,
}) => {
  const { window } = await openApp()
  await window.getByRole('link', { name: 'Routers' }).click()
  await window.getByRole('link', { name: 'Local' }).first().click()
  const form = window.getByRole('form', { name: 'Router' })
  await window.getByRole('link', { name: 'Rules' }).click()
  await form.getByText('Advanced', { exact: true }).click()
  await form.getByLabel('First token of a stream').fill('0.01')
  await form.getByLabel('Start after (seconds)').fill('auto')

  await window.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(form.getByRole('alert')).toBeVisible()
  await form.getByLabel('First token of a stream').fill('9')
  await window.getByRole('button', { name: 'Save', exact: true }).click()

  await expect(window.getByText('Saved. Applies')).toBeVisible()
  await savePicture(window, 'router-advanced')
  const [router] = await window.evaluate(async () => {
    const answer = await modelport.call('routers:list', undefined)
    return answer.ok ? answer.value : []
  })
  expect(router).toMatchObject({
    timeLimits: { firstTokenMs: 9_000 },
    hedge: { afterMs: 'auto', maxExtraPercent: 5 },
  })
})

test('a safety model for a coding agent’s checks is chosen, saved and taken back', async ({
  openApp,
}) => {
  const { window } = await openApp()
  await window.getByRole('link', { name: 'Routers' }).click()
  await window.getByRole('link', { name: 'Local' }).first().click()
  await window.getByRole('link', { name: 'Strategy' }).click()
  const form = window.getByRole('form', { name: 'Router' })
  await form.getByText('Advanced', { exact: true }).first().click()
  const choose = async (name: RegExp) => {
    await form.getByRole('combobox', { name: 'Safety model' }).click()
    await window.getByRole('option', { name }).click()
  }
  const saved = () =>
    window.evaluate(async () => {
      const answer = await modelport.call('routers:list', undefined)
      return answer.ok ? answer.value[0]?.routing.safetyModel : undefined
    })

  await choose(/smollm2/)
  await form.getByText('Answers Claude Code’s checks').scrollIntoViewIfNeeded()
  await savePicture(window, 'router-safety-model')
  await window.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(saved).toBe('local:smollm2-135m-instruct')

  await choose(/^None/)
  await window.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(saved).toBeNull()
})
